import { proxyActivities } from '@temporalio/workflow';
import type { DestinationActivities } from '../../activities/destinations/destination-activities.ts';

const { checkDestinationAddress } = proxyActivities<DestinationActivities>({
  // One look-up in the DNS under the egress' own deadline.
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '30s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

export interface CheckDestinationInput {
  /** The row of the staged destination; its URL stays in the database. */
  readonly destinationId: number;
}

/** Judges the addresses behind a subscription's URL before it is created. */
export async function checkDestination({ destinationId }: CheckDestinationInput): Promise<'allowed' | 'blocked'> {
  return await checkDestinationAddress({ destinationId });
}
