import { credentialWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/** Input of the workflow that refreshes a credential. The platform's token stays in the database. */
export interface RefreshCredentialInput {
  readonly credentialId: string;
  /** Waits after the first, second, … try that did not refresh it; the last one repeats. */
  readonly waitsMs: readonly number[];
}

/** A credential that is due comes up days before its end: after a few quick tries there is time. */
const defaultRefreshWaitsMs: readonly number[] = [60_000, 600_000, 3_600_000, 21_600_000];

/** How the workflow of a credential that is due is started; one that runs is left alone. */
export function refreshWorkflowStart({
  credentialId,
  workspaceId,
}: {
  readonly credentialId: string;
  readonly workspaceId: string;
}) {
  const input: RefreshCredentialInput = { credentialId, waitsMs: defaultRefreshWaitsMs };
  return {
    workflowType: 'refreshCredential',
    workflowId: credentialWorkflowId(credentialId),
    taskQueue: taskQueues.main,
    args: [input] as [RefreshCredentialInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `refresh of ${credentialId}`,
    keywords: { [searchAttributes.workspace]: workspaceId },
  } as const;
}
