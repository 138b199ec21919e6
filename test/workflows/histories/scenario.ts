import type { WorkflowHandle } from '@temporalio/client';
import { eventually } from '../../harness/eventually.ts';

/** A run to record: a workflow, what its activities answer, and what people do meanwhile. */
export interface Scenario {
  /** The workflow's type, and behind a dot which way it went. */
  readonly name: string;
  readonly workflowType: string;
  readonly args: readonly unknown[];
  readonly activities: Readonly<Record<string, () => Promise<unknown>>>;
  readonly act?: (handle: WorkflowHandle) => Promise<void>;
}

export const LONG_MS = 86_400_000;

/** Answers in turn, the last one for ever. */
export function inTurn<Answer>(...answers: readonly (() => Answer)[]): () => Promise<Answer> {
  let count = 0;
  return async () => (answers[count++] ?? answers.at(-1)!)();
}

/** Waits until so many activities have been completed. */
export async function untilCompleted(handle: WorkflowHandle, count: number): Promise<void> {
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.activityTaskCompletedEventAttributes).length >= count;
  });
}

