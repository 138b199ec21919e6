import type { Client } from '@temporalio/client';
import { deliveryShardWorkflowId } from '../contract/ids.ts';
import { deliveryWorkflowStart, type TroubledDelivery } from '../contract/deliveries/workflow.ts';
import { destinationCircuitStart, type TroubledDestination } from '../contract/destinations/circuit.ts';
import { taskQueues } from '../contract/task-queues.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import type { deliverWebhook } from '../workflows/deliveries/deliver-webhook.ts';
import type { deliveryShard } from '../workflows/deliveries/delivery-shard.ts';
import type { destinationCircuit } from '../workflows/destinations/destination-circuit.ts';
import { circuitMoved } from '../workflows/messages/messages.ts';

/** No start may hold up a worker that Temporal has left: what is not started now is adopted later. */
const CALL_TIMEOUT_MS = 5_000;

/** Starts the workflow of a troubled delivery; one that runs already is left alone. */
export function createStartDelivery(
  client: Client,
  scheduleMs: readonly number[],
): (delivery: TroubledDelivery) => Promise<void> {
  return async (delivery) => {
    const { workflowType, keywords, ...start } = deliveryWorkflowStart(delivery, scheduleMs);
    await client.connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.start<typeof deliverWebhook>(workflowType, {
        ...start,
        typedSearchAttributes: keywordAttributes(keywords),
      }),
    );
  };
}

/** Starts the workflow of a destination whose circuit has moved; one that runs already is told to look. */
export function createStartCircuit(
  client: Client,
  probeDelaysMs: readonly number[],
): (destination: TroubledDestination) => Promise<void> {
  return async (destination) => {
    const { workflowType, keywords, ...start } = destinationCircuitStart(destination, probeDelaysMs);
    await client.connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.signalWithStart<typeof destinationCircuit, [{ destinationId: number }]>(workflowType, {
        ...start,
        signal: circuitMoved,
        typedSearchAttributes: keywordAttributes(keywords),
      }),
    );
  };
}

/** Starts the workflows of all shards; those that run already are left alone. */
export async function startDeliveryShards(client: Client, shards: number): Promise<void> {
  for (let shard = 0; shard < shards; shard++) {
    await client.connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.start<typeof deliveryShard>('deliveryShard', {
        workflowId: deliveryShardWorkflowId(shard),
        taskQueue: taskQueues.main,
        args: [{ shard }],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `Delivers the events of the destinations of shard ${shard}`,
      }),
    );
  }
}
