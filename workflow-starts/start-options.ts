import { taskQueues } from '../contract/task-queues.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import type { StartInputs, StartedName, StartKind, StartRow } from './start-row.ts';
import { workflowTable } from './workflow-table.ts';

export type StartedBy<Kind extends StartKind> = {
  [Name in StartedName]: Kind extends (typeof workflowTable)[Name]['kinds'][number] ? Name : never;
}[StartedName];

/** Widens the literal types, so that a generic name selects its row. */
const rows: { readonly [Name in StartedName]: StartRow<Name> } = workflowTable;

export function startOptions<Name extends StartedName>(name: Name, input: StartInputs[Name]) {
  const row = rows[name];
  const keywords = row.keywords?.(input);
  return {
    taskQueue: taskQueues.main,
    workflowId: row.workflowId(input),
    ...row.policy,
    ...(row.executionTimeout && { workflowExecutionTimeout: row.executionTimeout }),
    args: row.args(input),
    staticSummary: row.summary(input),
    ...(keywords && { typedSearchAttributes: keywordAttributes(keywords) }),
  };
}

/** Default deadline of a start. A worker must not hang while Temporal is down. */
export const CALL_DEADLINE_MS = 5_000;

export function startDeadlineMs(name: StartedName): number {
  return rows[name].deadlineMs ?? CALL_DEADLINE_MS;
}
