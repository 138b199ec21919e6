import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { DefaultWebhookActivities } from '../../activities/webhooks/default-webhook-activities.ts';
import { activityQueue, showEnd } from '../runs/this-run.ts';
import type { SaveWebhookResult } from './save-webhook.ts';

const { probeDefaultToken, probeDefaultPost } = proxyActivities<DefaultWebhookActivities>({
  taskQueue: activityQueue('interactive'),
  // A probe takes at most 10 s.
  startToCloseTimeout: '15s',
  // The save's own deadline is 30 s.
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

const { commitDefaultWebhook } = proxyActivities<DefaultWebhookActivities>({
  taskQueue: activityQueue('interactive'),
  // One short, idempotent transaction.
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms' },
});

export interface SaveDefaultWebhookInput {
  readonly defaultWebhookId: number;
}

/** Verifies a staged default webhook with the probes of a channel's webhook, and makes it the current default. */
export async function saveDefaultWebhook(input: SaveDefaultWebhookInput): Promise<SaveWebhookResult> {
  setCurrentDetails('Probe 1 of 2: GET, expects the Verify Token.');
  const token = await probeDefaultToken.executeWithOptions({ summary: 'probe 1: GET' }, [input]);
  if (token !== 'passed') return showEnd(token);

  setCurrentDetails('Probe 2 of 2: empty POST, expects a 2xx.');
  const post = await probeDefaultPost.executeWithOptions({ summary: 'probe 2: empty POST' }, [input]);
  if (post !== 'passed') return showEnd(post);

  return showEnd(await commitDefaultWebhook(input));
}
