import { proxyActivities } from '@temporalio/workflow';
import type { DestinationActivities } from '../../activities/destinations/destination-activities.ts';
import { activityQueue, showEnd } from '../runs/this-run.ts';

const { checkDestinationAddress } = proxyActivities<DestinationActivities>({
  taskQueue: activityQueue('interactive'),
  // One DNS lookup with its own timeout.
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

export interface CheckDestinationInput {
  readonly destinationId: number;
}

/** Checks whether the addresses behind a new destination are allowed. */
export async function checkDestination({ destinationId }: CheckDestinationInput): Promise<'allowed' | 'blocked'> {
  return showEnd(await checkDestinationAddress({ destinationId }));
}
