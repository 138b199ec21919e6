import { ActivityCancellationType, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { PumpActivities } from '../../activities/pump/pump-activities.ts';
import { taskQueues } from '../../contract/task-queues.ts';

const { pumpDeliveries } = proxyActivities<PumpActivities>({
  taskQueue: taskQueues.pump,
  // Longer than any pump runs. Ends a pump that hangs despite its heartbeats.
  startToCloseTimeout: '1h',
  heartbeatTimeout: '3s',
  // A failed pump is restarted immediately, without limit.
  retry: { initialInterval: '200ms', backoffCoefficient: 1.5, maximumInterval: '2s' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/**
 * The body of runs that started before migration 0027, when this workflow kept the pump running. Such a run continues
 * as a new one after its pump has ended. Remove it when no such run can exist.
 */
export async function keepPumping(shard: number, isUpgraded: () => boolean): Promise<void> {
  for (let pumps = 1; ; pumps++) {
    const served = await pumpDeliveries.executeWithOptions({ summary: `pump of shard ${shard}` }, [{ shard }]);
    if (isUpgraded()) return;
    setCurrentDetails(
      `Serves ${served.destinationCount} destinations. The last pump settled ${served.settledCount} deliveries and ` +
        `promoted ${served.promotedCount}. See the heartbeat details for the present pump.`,
    );
    if (workflowInfo().continueAsNewSuggested || pumps >= PUMPS_PER_RUN) return;
  }
}

/** A run lasted two hours. */
const PUMPS_PER_RUN = 24;
