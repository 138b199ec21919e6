import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AlertCallActivities } from '../../activities/alerts/alert-call-activities.ts';
import type { AlertCallResult } from '../../contract/alerts/alert-call.ts';
import { activityQueue } from '../queues/activity-queue.ts';
import { showEnd } from '../ends/show-end.ts';

const { sendAlertCall } = proxyActivities<AlertCallActivities>({
  taskQueue: activityQueue('receivers'),
  // One request of at most 10 s and the wait for its connection.
  startToCloseTimeout: '25s',
  // Failures of the database. A call that is not settled is due again in two minutes.
  retry: { initialInterval: '1s', maximumAttempts: 2 },
});

export interface CallAlertWebhookInput {
  readonly callId: string;
  /** Optional. A person waits for a test. Default: false. */
  readonly isTest?: boolean;
}

/** Makes one attempt of a call to an alert webhook. The worker starts the next attempt when it is due. */
export async function callAlertWebhook({ callId, isTest }: CallAlertWebhookInput): Promise<AlertCallResult> {
  setCurrentDetails('Sending the call.');
  const queue = isTest ? { taskQueue: activityQueue('interactive') } : {};
  return showEnd(await sendAlertCall.executeWithOptions(queue, [{ callId }]));
}
