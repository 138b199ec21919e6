import type { EventType } from '../event-types.ts';
import { deliveryWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/** Bodies and secrets stay in the database. */
export interface DeliverWebhookInput {
  readonly deliveryId: string;
  /** Recorded attempts, over all schedules. */
  readonly attemptsMade: number;
  /** Failed attempts of the current schedule. */
  readonly failedInSchedule: number;
  readonly nextAttemptAtMs: number;
  readonly scheduleMs: readonly number[];
}

/** A delivery whose first attempt failed. */
export interface TroubledDelivery {
  readonly deliveryId: string;
  readonly channelId: string;
  readonly workspaceId: string;
  /** `webhook` or the subscription's id. */
  readonly destination: string;
  readonly eventType: EventType;
  readonly attemptsMade: number;
  readonly failedInSchedule: number;
  readonly nextAttemptAtMs: number;
}

/**
 * Returns the start options of the workflow that retries a delivery. The pump that saw the failure, a pump that adopts an
 * abandoned delivery, or a person's retry starts it. A running workflow is kept; after a closed one, a new run reads from
 * the row whether anything is left to do.
 */
export function deliveryWorkflowStart(delivery: TroubledDelivery, scheduleMs: readonly number[]) {
  const input: DeliverWebhookInput = {
    deliveryId: delivery.deliveryId,
    attemptsMade: delivery.attemptsMade,
    failedInSchedule: delivery.failedInSchedule,
    nextAttemptAtMs: delivery.nextAttemptAtMs,
    scheduleMs,
  };
  return {
    workflowType: 'deliverWebhook',
    workflowId: deliveryWorkflowId(delivery.deliveryId),
    taskQueue: taskQueues.main,
    args: [input] as [DeliverWebhookInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `${delivery.eventType} of ${delivery.channelId} to ${delivery.destination}`,
    keywords: {
      [searchAttributes.workspace]: delivery.workspaceId,
      [searchAttributes.channel]: delivery.channelId,
      [searchAttributes.destination]: delivery.destination,
      [searchAttributes.eventType]: delivery.eventType,
      [searchAttributes.state]: 'retrying',
    },
  } as const;
}
