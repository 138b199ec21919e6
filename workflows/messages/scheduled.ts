import { defineSignal } from '@temporalio/workflow';

interface ScheduledMove {
  /** When the row says that it is due. Null once it has ended. */
  readonly dueAtMs: number | null;
}

/** The row changed or was cancelled, or its workflow has not acted for a minute. */
export const scheduledMoved = defineSignal<[ScheduledMove]>('scheduledMoved');
