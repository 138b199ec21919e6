import type { EventType } from '../event-types.ts';
import { deliveryWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

export interface DeliverWebhookInput {
  readonly deliveryId: string;
  /** Over all schedules. */
  readonly attemptsMade: number;
  /** In the current schedule. */
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
 * Returns the start options of the retry workflow. A running workflow is kept; after a closed one, a new run reads
 * from the row what is left to do.
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
