import {
  ActivityFailure,
  CancellationScope,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ScheduledMessageActivities } from '../../activities/operations/scheduled-message-activities.ts';
import type {
  ScheduledMessageStanding,
  ScheduledMessageStatus,
  SendScheduledMessageInput,
} from '../../contract/operations/scheduled-message.ts';
import { activityQueue } from '../queues/activity-queue.ts';
import { showEnd } from '../ends/show-end.ts';
import { isOwnCancellation } from '../cancellations/is-own-cancellation.ts';

const { sendDueMessage } = proxyActivities<ScheduledMessageActivities>({
  taskQueue: activityQueue('media'),
  // Lookups of files of 10 s in all, and one send of 30 s.
  startToCloseTimeout: '45s',
  // A timeout leaves the outcome unknown, so that a worker may pause for 20 s.
  heartbeatTimeout: '30s',
  // Never retried: the platform has no idempotency key. The row records whether the call may have been sent.
  retry: { maximumAttempts: 1 },
});

const { settleMessage } = proxyActivities<ScheduledMessageActivities>({
  // Short statements, retried until they commit.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '10s' },
});

/** After the waits, an activity of 45 s still ends within the run's minute. */
const MAX_WAITS_MS = 12_000;

/**
 * Sends one message that is due within seconds. The row decides what happens: a message that was moved or cancelled in
 * the meantime is left alone, and the worker starts the next run when it is due.
 */
export async function sendScheduledMessage(input: SendScheduledMessageInput): Promise<ScheduledMessageStatus> {
  const waitsEndAtMs = workflowInfo().startTime.getTime() + MAX_WAITS_MS;
  try {
    let standing = await send();
    while (standing.waitMs !== null && Date.now() + standing.waitMs < waitsEndAtMs) {
      await sleep(standing.waitMs, { summary: 'due' });
      standing = await send();
    }
    if (standing.status === 'scheduled') standing = await settleMessage(input);
    return showEnd(standing.status);
  } catch (error) {
    if (!(error instanceof ActivityFailure) && !isOwnCancellation(error)) throw error;
    const { status } = await CancellationScope.nonCancellable(() => settleMessage(input));
    if (isOwnCancellation(error)) throw error;
    return showEnd(status);
  }

  async function send(): Promise<ScheduledMessageStanding> {
    setCurrentDetails('Sending the message if it is due.');
    return await sendDueMessage.executeWithOptions({ summary: 'send' }, [input]);
  }
}
