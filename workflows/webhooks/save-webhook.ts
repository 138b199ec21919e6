import { inWorkflowContext, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { WebhookSaveActivities } from '../../activities/webhooks/webhook-save-activities.ts';
import { activityQueue, showEnd } from '../runs/this-run.ts';

/** A rollout's saves have no person who waits. */
const taskQueue = activityQueue(inWorkflowContext() && workflowInfo().parent ? 'receivers' : 'interactive');

const { probeVerifyToken, probeEmptyPost } = proxyActivities<WebhookSaveActivities>({
  taskQueue,
  // A probe takes at most 10 s.
  startToCloseTimeout: '15s',
  // The save's own deadline is 30 s.
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

const { commitCandidate } = proxyActivities<WebhookSaveActivities>({
  taskQueue,
  // One short, idempotent transaction.
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms' },
});

export interface SaveWebhookInput {
  readonly candidateId: number;
}

export type SaveWebhookResult = 'committed' | 'failed' | 'blocked' | 'overtaken' | 'expired';

/**
 * Verifies a staged webhook URL and saves it: the receiver must respond to a GET with the Verify Token and to an empty
 * POST with a 2xx.
 */
export async function saveWebhook({ candidateId }: SaveWebhookInput): Promise<SaveWebhookResult> {
  setCurrentDetails('Probe 1 of 2: GET, expects the Verify Token.');
  const token = await probeVerifyToken.executeWithOptions({ summary: 'probe 1: GET' }, [{ candidateId }]);
  if (token !== 'passed') return showEnd(token);

  setCurrentDetails('Probe 2 of 2: empty POST, expects a 2xx.');
  const post = await probeEmptyPost.executeWithOptions({ summary: 'probe 2: empty POST' }, [{ candidateId }]);
  if (post !== 'passed') return showEnd(post);

  return showEnd(await commitCandidate({ candidateId }));
}
