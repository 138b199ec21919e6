import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { NotificationActivities } from '../../activities/notifications/notification-activities.ts';
import type { AttemptResult } from '../../contract/notifications/notification.ts';
import { showEnd, activityQueue } from '../runs/this-run.ts';

const { attemptNotification } = proxyActivities<NotificationActivities>({
  taskQueue: activityQueue('receivers'),
  // One request of at most 10 s and the wait for its connection.
  startToCloseTimeout: '25s',
  // Failures of the database. They may repeat a request that was sent, so they are rare soon.
  retry: { initialInterval: '2s', backoffCoefficient: 5, maximumInterval: '2m' },
});

/** A person waits for a test, so it is tried twice at most. */
const testOptions = {
  taskQueue: activityQueue('interactive'),
  retry: { initialInterval: '1s', maximumAttempts: 2 },
} as const;

export interface SendNotificationInput {
  readonly notificationId: string;
  /** Optional. A test is attempted once, and a person waits for it. Default: false. */
  readonly isTest?: boolean;
}

/** Sends a notification until it is accepted or its attempts are used up. Waits between two attempts. */
export async function sendNotification(input: SendNotificationInput): Promise<AttemptResult> {
  const { notificationId, isTest = false } = input;
  for (;;) {
    setCurrentDetails('Sending it.');
    const options = isTest ? testOptions : {};
    const { result, waitMs } = await attemptNotification.executeWithOptions(options, [{ notificationId }]);
    if (waitMs === null) return showEnd(result);
    const nextAt = new Date(Date.now() + waitMs).toISOString();
    setCurrentDetails(`The last attempt: ${result}. The next one at ${nextAt}.`);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof sendNotification>(input);
    await sleep(waitMs, { summary: `next attempt at ${nextAt}` });
  }
}
