/**
 * The entry point of the bundle for versioned workers. The server rejects the completions of unversioned workers whose
 * workflows declare a behavior, so those workers load `index.ts`.
 */
import { setWorkflowOptions } from '@temporalio/workflow';
import * as workflows from './index.ts';
import { workflowTypes } from './workflow-types.ts';

const types: Readonly<Record<string, (...args: never[]) => Promise<unknown>>> = workflows;
for (const [name, { behavior }] of Object.entries(workflowTypes)) {
  setWorkflowOptions({ versioningBehavior: behavior }, types[name]!);
}

// eslint-disable-next-line no-restricted-syntax -- the bundle has each export as a workflow type
export * from './index.ts';
