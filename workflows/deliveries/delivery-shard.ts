import {
  ActivityCancellationType,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { PumpActivities } from '../../activities/pump/pump-activities.ts';
import { taskQueues } from '../../contract/task-queues.ts';

const { pumpDeliveries } = proxyActivities<PumpActivities>({
  taskQueue: taskQueues.pump,
  // A pump hands over after minutes of its own accord; an hour means that it hangs although it heartbeats.
  startToCloseTimeout: '1h',
  // With heartbeats each second and the 3 s lease: another worker serves the shard within 5 s of a crash.
  heartbeatTimeout: '3s',
  // A pump that fails (its worker or the database is gone) is followed by the next at once and for ever.
  retry: { initialInterval: '200ms', backoffCoefficient: 1.5, maximumInterval: '2s' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

export interface DeliveryShardInput {
  readonly shard: number;
}

/**
 * Keeps one pump running over the deliveries of a shard, for ever. Healthy deliveries leave no trace here: only the
 * hand-over from one pump to the next is history.
 */
export async function deliveryShard({ shard }: DeliveryShardInput): Promise<void> {
  for (let pumps = 1; ; pumps++) {
    const served = await pumpDeliveries.executeWithOptions({ summary: `pump of shard ${shard}` }, [{ shard }]);
    setCurrentDetails(
      `Serves ${served.destinationCount} destinations. The last pump settled ${served.settledCount} deliveries and ` +
        `promoted ${served.promotedCount}; the present one shows its progress as heartbeat details.`,
    );
    if (workflowInfo().continueAsNewSuggested || pumps >= PUMPS_A_RUN) break;
  }
  await continueAsNew<typeof deliveryShard>({ shard });
}

/** At five minutes a pump a run lasts two hours: short enough to read in the Web UI. */
const PUMPS_A_RUN = 24;
