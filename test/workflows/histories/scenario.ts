import type { WorkflowHandle } from '@temporalio/client';
import { eventually } from '../../harness/eventually.ts';

export interface Scenario {
  readonly args: readonly unknown[];
  /** Optional. The number of events after which the server suggests to continue as new. Default: the server's. */
  readonly suggestedAfterEvents?: number;
  /** The answers of each activity, in turn. The last one repeats. */
  readonly activities: Readonly<Record<string, readonly unknown[]>>;
  /** Optional. Workers whose own queues run the activities too. */
  readonly pumpsOf?: readonly string[];
  readonly act?: (handle: WorkflowHandle) => Promise<void>;
}

/** By the workflow type, optionally followed by a dot and a variant. */
export type Scenarios = Readonly<Record<string, Scenario>>;

export const LONG_MS = 86_400_000;

/** An answer may be a function, which is called. */
export function inTurn(answers: readonly unknown[]): () => Promise<unknown> {
  let count = 0;
  return async () => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    return typeof answer === 'function' ? answer() : answer;
  };
}

type Attributes = 'activityTaskCompleted' | 'activityTaskScheduled' | 'workflowTaskCompleted';

const untilEvents = (kind: Attributes) => async (handle: WorkflowHandle, count: number) => {
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event[`${kind}EventAttributes`]).length >= count;
  });
};

export const untilCompleted = untilEvents('activityTaskCompleted');
export const untilScheduled = untilEvents('activityTaskScheduled');
/** Waits for workflow tasks, of a workflow without activities. */
export const untilDecided = untilEvents('workflowTaskCompleted');
