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
  // Longer than any pump runs. Ends a pump that hangs despite its heartbeats.
  startToCloseTimeout: '1h',
  // With the 3 s lease, another worker takes over within 5 s of a crash.
  heartbeatTimeout: '3s',
  // A failed pump is restarted immediately, without limit.
  retry: { initialInterval: '200ms', backoffCoefficient: 1.5, maximumInterval: '2s' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

export interface DeliveryShardInput {
  readonly shard: number;
}

/** Keeps one pump running for a shard. Deliveries add nothing to the history. */
export async function deliveryShard({ shard }: DeliveryShardInput): Promise<void> {
  for (let pumps = 1; ; pumps++) {
    const served = await pumpDeliveries.executeWithOptions({ summary: `pump of shard ${shard}` }, [{ shard }]);
    setCurrentDetails(
      `Serves ${served.destinationCount} destinations. The last pump settled ${served.settledCount} deliveries and ` +
        `promoted ${served.promotedCount}. See the heartbeat details for the present pump.`,
    );
    if (workflowInfo().continueAsNewSuggested || pumps >= PUMPS_PER_RUN) break;
  }
  await continueAsNew<typeof deliveryShard>({ shard });
}

/** A run lasts two hours, which keeps its history readable. */
const PUMPS_PER_RUN = 24;
