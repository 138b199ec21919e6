import type { EventType } from '../event-types.ts';
import { deliveryWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/** What a troubled delivery's workflow is started with: ids, counts and times, never a body or a secret. */
export interface DeliverWebhookInput {
  readonly deliveryId: string;
  /** Attempts recorded so far, over all schedules. */
  readonly attemptsMade: number;
  /** Failed attempts of the present schedule. */
  readonly failedInSchedule: number;
  readonly nextAttemptAtMs: number;
  readonly scheduleMs: readonly number[];
}

/** A delivery whose first attempt failed, as the ledger knows it. */
export interface TroubledDelivery {
  readonly deliveryId: string;
  readonly channelId: string;
  readonly workspaceId: string;
  /** `webhook`, or the subscription's id. */
  readonly destination: string;
  readonly eventType: EventType;
  readonly attemptsMade: number;
  readonly failedInSchedule: number;
  readonly nextAttemptAtMs: number;
}

/**
 * How the workflow of a troubled delivery is started, by whoever starts it: the pump that saw the failure, a pump that
 * adopts an abandoned one, or a person's retry. A running one is left alone; a closed one is followed by a new run,
 * because the row's state says whether there is anything left to do.
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
