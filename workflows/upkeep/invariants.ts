import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { InvariantActivities } from '../../activities/upkeep/invariant-activities.ts';
import type { InvariantsResult } from '../../contract/upkeep/invariants.ts';

const { checkInvariants } = proxyActivities<InvariantActivities>({
  // Reads what came in some days, in short statements with pauses: minutes, and hours where there are billions.
  startToCloseTimeout: '12h',
  // It heartbeats after each statement, of which none takes more than 30 s.
  heartbeatTimeout: '40s',
  // Covers a lost worker or database; a repeat begins anew.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Checks once that the ledger is true. Started every day by the schedule of the same name; may be started by hand. */
export async function invariants(): Promise<InvariantsResult> {
  setCurrentDetails('Looks through the ledger.');
  const result = await checkInvariants({ startedAtMs: workflowInfo().runStartTime.getTime() });
  const { violationCount, eventCount, deliveryCount } = result;
  const verdict = violationCount === 0 ? 'Every rule holds' : `**${violationCount} violations**`;
  setCurrentDetails(`${verdict}: ${eventCount} events and ${deliveryCount} deliveries looked at.`);
  return result;
}
