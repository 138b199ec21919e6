import { proxyActivities } from '@temporalio/workflow';
import type { TestEventActivities } from '../../activities/destinations/test-event-activities.ts';
import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import { activityQueue, showEnd } from '../runs/this-run.ts';

const { attemptTestEvent } = proxyActivities<TestEventActivities>({
  taskQueue: activityQueue('interactive'),
  // An attempt takes at most 7 s, after at most 3 s for a connection.
  startToCloseTimeout: '12s',
  // Covers internal errors while the caller waits, whose slot ends with the activity. A failed attempt is a result.
  scheduleToCloseTimeout: '18s',
  retry: { initialInterval: '500ms', maximumAttempts: 3 },
});

export interface SendTestEventInput {
  readonly testEventId: number;
}

/** Sends a sample event to a destination once. */
export async function sendTestEvent({ testEventId }: SendTestEventInput): Promise<AttemptOutcome> {
  return showEnd(await attemptTestEvent({ testEventId }));
}
