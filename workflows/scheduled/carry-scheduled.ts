import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ScheduledActivities } from '../../activities/scheduled/scheduled-activities.ts';
import { isId } from '../../contract/ids.ts';
import type { CarryScheduledInput, ScheduledStanding, ScheduledStatus } from '../../contract/scheduled/scheduled.ts';
import { showEnd, activityQueue } from '../runs/this-run.ts';
import { scheduledMoved } from '../messages/messages.ts';

const { sendDueMessage } = proxyActivities<ScheduledActivities>({
  taskQueue: activityQueue('media'),
  // Lookups of files of 10 s in all, and one send of 30 s.
  startToCloseTimeout: '45s',
  // A worker may pause for 20 s without losing the answer.
  heartbeatTimeout: '30s',
  // The row records whether the call may have been sent, so that a repetition never sends again.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { startDuePost } = proxyActivities<ScheduledActivities>({
  // One transaction and the start of a workflow. The row records the container, so that a repetition makes no other.
  startToCloseTimeout: '20s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { readScheduled } = proxyActivities<ScheduledActivities>({
  // One short statement.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/**
 * Waits until a message or a post is due, and sends or starts it. The row decides what happens: it may have been moved or
 * cancelled. Repeats what was not sent, until the row has nothing left to do.
 */
export async function carryScheduled(input: CarryScheduledInput): Promise<ScheduledStatus> {
  const { scheduledId, dueAtMs } = input;
  const act = isId('scheduledMessage', scheduledId) ? sendDueMessage : startDuePost;
  let isMoved = dueAtMs === undefined;
  /** What the row said last, as far as it is known. Undefined once it was read: a change may return to an earlier time. */
  let knownMs = dueAtMs;
  // The signal of a start tells what is known. Anybody can send a signal with any argument.
  const moved = (move: unknown): void => void (isMoved ||= knownMs === undefined || Object(move).dueAtMs !== knownMs);
  setHandler(scheduledMoved, moved, {
    description: 'For the service: the message or the post changed.',
  });
  let waitMs = Math.max((dueAtMs ?? 0) - Date.now(), 0);
  for (;;) {
    if (waitMs > 0 && !isMoved) await waitFor(waitMs);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof carryScheduled>({ scheduledId });
    const { status, waitMs: nextMs } = await next();
    if (nextMs === null) return showEnd(status);
    waitMs = nextMs;
  }

  /** Only reads the row if it may be due at another time. */
  async function next(): Promise<ScheduledStanding> {
    const options = { summary: isMoved ? 'read' : 'act' };
    const activity = isMoved ? readScheduled : act;
    isMoved = false;
    knownMs = undefined;
    return await activity.executeWithOptions(options, [{ scheduledId }]);
  }

  async function waitFor(ms: number): Promise<void> {
    const until = new Date(Date.now() + ms).toISOString();
    setCurrentDetails(`Waiting until ${until}.`);
    await condition(() => isMoved, ms, { summary: `due at ${until}` });
    setCurrentDetails('Reading what to do.');
  }
}
