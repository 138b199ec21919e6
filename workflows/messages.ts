import { defineQuery, defineSignal } from '@temporalio/workflow';

/** A person asks a troubled delivery to try now, whatever its schedule says. Takes no input. */
export const retryNow = defineSignal('retryNow');

/** How a troubled delivery stands: attempts made, when it goes next. */
export interface DeliveryProgress {
  readonly attemptsMade: number;
  readonly lastAnswer: string | null;
  readonly nextAttemptAt: string | null;
}
export const deliveryProgress = defineQuery<DeliveryProgress>('deliveryProgress');
