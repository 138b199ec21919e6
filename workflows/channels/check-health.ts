import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { HealthActivities } from '../../activities/channels/health-activities.ts';
import type { CheckHealthInput } from '../../contract/channels/health.ts';
import { activityQueue, showEnd } from '../runs/this-run.ts';

const { checkChannelHealth } = proxyActivities<HealthActivities>({
  taskQueue: activityQueue('interactive'),
  // The calls of a check take at most 30 s. Few take longer than a second.
  startToCloseTimeout: '40s',
  heartbeatTimeout: '4s',
  // Covers a lost worker or database. Reads are harmless to repeat.
  retry: { initialInterval: '500ms', maximumAttempts: 3 },
});

export type CheckHealthResult = 'checked' | 'failed' | 'not_connected';

/** Checks one channel now: a person asked, or it was just connected. */
export async function checkHealth(input: CheckHealthInput): Promise<CheckHealthResult> {
  setCurrentDetails('Asking the platform.');
  return showEnd(await checkChannelHealth(input));
}
