import type { WorkflowHandle } from '@temporalio/client';
import { eventually } from '../../harness/eventually.ts';

export interface Scenario {
  /** The workflow type, optionally followed by a dot and a variant. */
  readonly name: string;
  readonly workflowType: string;
  readonly args: readonly unknown[];
  /** Optional. The number of events after which the server suggests to continue as new. Default: the server's. */
  readonly suggestedAfterEvents?: number;
  readonly activities: Readonly<Record<string, () => Promise<unknown>>>;
  /** Optional. Workers whose own queues run the activities too. */
  readonly pumpsOf?: readonly string[];
  readonly act?: (handle: WorkflowHandle) => Promise<void>;
}

export const LONG_MS = 86_400_000;

/** The last answer repeats. */
export function inTurn<Answer>(...answers: readonly (() => Answer)[]): () => Promise<Answer> {
  let count = 0;
  return async () => (answers[count++] ?? answers.at(-1)!)();
}

export async function untilCompleted(handle: WorkflowHandle, count: number): Promise<void> {
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.activityTaskCompletedEventAttributes).length >= count;
  });
}

/** Waits for workflow tasks, of a workflow without activities. */
export async function untilDecided(handle: WorkflowHandle, count: number): Promise<void> {
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes).length >= count;
  });
}

export async function untilScheduled(handle: WorkflowHandle, count: number): Promise<void> {
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length >= count;
  });
}
