import { defineQuery, defineSignal } from '@temporalio/workflow';

export const retryNow = defineSignal('retryNow');

/** The destination's circuit has closed, or the delivery has ended. */
export const circuitClosed = defineSignal('circuitClosed');

export interface DeliveryProgress {
  readonly attemptsMade: number;
  readonly lastAnswer: string | null;
  readonly nextAttemptAt: string | null;
}
export const deliveryProgress = defineQuery<DeliveryProgress>('deliveryProgress');
