import { ActivityFailure, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { AlertActivities } from '../../activities/alerts/alert-activities.ts';
import type { AlertDigestInput } from '../../contract/alerts/digest.ts';
import { activityQueue, isOwnCancellation } from '../runs/this-run.ts';

const { collectAlerts } = proxyActivities<AlertActivities>({
  taskQueue: activityQueue('mails'),
  // One transaction.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumAttempts: 3 },
});

const { mailAlerts } = proxyActivities<AlertActivities>({
  taskQueue: activityQueue('mails'),
  // A batch begins no email after 10 s, and the mailer's timeouts are 40 s in all.
  startToCloseTimeout: '50s',
  retry: { initialInterval: '1s', maximumAttempts: 3 },
});

/** The run ends within a minute, so that it never outlives its build. A worker starts the next one for the rest. */
const LAST_BATCH_MS = 30_000;

/** Gathers the alerts of an organization and sends one email to each person who chose them. */
export async function alertDigest({ organizationId, intervalMs }: AlertDigestInput): Promise<'sent' | 'unsent'> {
  const lastBatchAtMs = workflowInfo().startTime.getTime() + LAST_BATCH_MS;
  try {
    setCurrentDetails('Gathering alerts.');
    await collectAlerts({ organizationId, intervalMs });
    setCurrentDetails('Sending emails.');
    do if ((await mailAlerts({ organizationId })) === 'done') return 'sent';
    while (Date.now() < lastBatchAtMs);
  } catch (error) {
    // A failure leaves the rows as they are, from which the next run continues.
    if (!(error instanceof ActivityFailure) || isOwnCancellation(error)) throw error;
  }
  return 'unsent';
}
