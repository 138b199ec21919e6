import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { InvariantActivities } from '../../activities/upkeep/invariant-activities.ts';
import type { InvariantsResult } from '../../contract/upkeep/invariants.ts';
import { activityQueue } from '../runs/this-run.ts';

const { checkInvariants } = proxyActivities<InvariantActivities>({
  taskQueue: activityQueue('upkeep'),
  // Checking billions of rows takes hours.
  startToCloseTimeout: '12h',
  // Longer than the longest statement, 30 s.
  heartbeatTimeout: '40s',
  // Covers a lost worker or database. A repeat starts over.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Checks the ledger for inconsistent rows. Started daily by the schedule of the same name. */
export async function invariants(): Promise<InvariantsResult> {
  setCurrentDetails('Checking the ledger.');
  const result = await checkInvariants({ startedAtMs: workflowInfo().runStartTime.getTime() });
  const { violationCount, eventCount, deliveryCount } = result;
  const verdict = violationCount === 0 ? 'Every rule holds' : `**${violationCount} violations**`;
  setCurrentDetails(`${verdict}: ${eventCount} events and ${deliveryCount} deliveries checked.`);
  return result;
}
