import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { RotationInput, RotationResult } from '../contract/channel-token.ts';
import type { ContainerStatus } from '../contract/container-status.ts';
import type { Acceptance, PublishResult } from '../contract/container-workflow.ts';
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

/** How a media container stands, as its workflow knows it. */
export interface ContainerProgress {
  readonly status: ContainerStatus;
  readonly checkedAt: string | null;
  readonly nextCheckAt: string | null;
}
export const containerProgress = defineQuery<ContainerProgress>('containerProgress');

/** Answers when it is settled whether the platform took the container. Takes no input. */
export const awaitAcceptance = defineUpdate<Acceptance>('awaitAcceptance');
/**
 * Publishes a finished container, and answers when the outcome is known; asked again, it answers the same. Takes no
 * input. Refused with ContainerNotReady while the platform is processing and with ContainerEnded where nothing will
 * ever be published, in both cases without a trace in the history.
 */
export const publishContainer = defineUpdate<PublishResult>('publishContainer');

/** Rotates the channel's token, and answers when the new one is there, or never will be; asked again, it answers the same. */
export const rotateChannelToken = defineUpdate<RotationResult, [RotationInput]>('rotateChannelToken');
