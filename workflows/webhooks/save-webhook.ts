import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { WebhookSaveActivities } from '../../activities/webhooks/webhook-save-activities.ts';

const { probeVerifyToken, probeEmptyPost } = proxyActivities<WebhookSaveActivities>({
  // A probe has 10 s in all; the rest is room for one row.
  startToCloseTimeout: '15s',
  // Probes only read: a worker that died in the middle of one may ask again, within the save's own deadline of 30 s.
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

const { commitCandidate } = proxyActivities<WebhookSaveActivities>({
  // One short transaction, conditional on deadline and revision, so a repeat changes nothing.
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms' },
});

export interface SaveWebhookInput {
  readonly candidateId: number;
}

export type SaveWebhookResult = 'committed' | 'failed' | 'blocked' | 'overtaken' | 'expired';

/**
 * Verifies that the staged URL belongs to whoever saves it and listens: a GET must answer with the Verify Token, an
 * empty POST with a 2xx (specification 6.2). Only then does the webhook config change.
 */
export async function saveWebhook({ candidateId }: SaveWebhookInput): Promise<SaveWebhookResult> {
  setCurrentDetails('Probe 1 of 2: GET, expects the Verify Token.');
  const token = await probeVerifyToken.executeWithOptions({ summary: 'probe 1: GET' }, [{ candidateId }]);
  if (token !== 'passed') return end(token);

  setCurrentDetails('Probe 2 of 2: empty POST, expects a 2xx.');
  const post = await probeEmptyPost.executeWithOptions({ summary: 'probe 2: empty POST' }, [{ candidateId }]);
  if (post !== 'passed') return end(post);

  return end(await commitCandidate({ candidateId }));
}

function end(result: SaveWebhookResult): SaveWebhookResult {
  setCurrentDetails(`Ended: ${result}.`);
  return result;
}
