import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { RegistrationEnd } from '../contract/email-code.ts';

/** A person asks a troubled delivery to try now, whatever its schedule says. Takes no input. */
export const retryNow = defineSignal('retryNow');

/** How a troubled delivery stands: attempts made, when it goes next. */
export interface DeliveryProgress {
  readonly attemptsMade: number;
  readonly lastAnswer: string | null;
  readonly nextAttemptAt: string | null;
}
export const deliveryProgress = defineQuery<DeliveryProgress>('deliveryProgress');

/** A registration was completed by the right code, or locked by wrong ones; sent when that is committed. */
export const registrationEnded = defineSignal<[RegistrationEnd]>('registrationEnded');
/** A wrong code was tried. Takes no input: which one is nobody's business. */
export const codeRefused = defineSignal('codeRefused');
