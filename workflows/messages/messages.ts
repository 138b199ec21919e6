import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { RotationInput, RotationResult } from '../../contract/channels/token.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import type { Acceptance, PublishResult } from '../../contract/containers/workflow.ts';
import type { RegistrationEnd } from '../../contract/identity/email-code.ts';
import type { ReplayStanding } from '../../contract/replays/replay.ts';

/** A person asks a troubled delivery to try now, whatever its schedule says. Takes no input. */
export const retryNow = defineSignal('retryNow');

/** The circuit of a troubled delivery's destination has closed, or the delivery has ended: it looks at once. No input. */
export const circuitClosed = defineSignal('circuitClosed');

/** A person asks for a probe of a destination now, whatever its circuit says. Takes no input. */
export const probeNow = defineSignal('probeNow');
/** The ledger's circuit of a destination has moved: the workflow looks at it, and probes if it is time. */
export const circuitMoved = defineSignal<[{ readonly destinationId: number }]>('circuitMoved');

/** How the circuit of a destination stands. */
export interface CircuitProgress {
  readonly state: 'open' | 'closed';
  readonly probesMade: number;
  readonly lastAnswer: string | null;
  readonly nextProbeAt: string | null;
}
export const circuitProgress = defineQuery<CircuitProgress>('circuitProgress');

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
/** A person pauses, resumes or cancels a replay; one that has ended stays as it is. None of them takes input. */
export const pauseReplay = defineSignal('pauseReplay');
export const resumeReplay = defineSignal('resumeReplay');
export const cancelReplay = defineSignal('cancelReplay');
/** The row of a replay was moved, or nobody seems to be at work on it: the workflow looks at it. Takes no input. */
export const replayMoved = defineSignal('replayMoved');

/** How a replay stands, as far as the workflow has seen. */
export const replayProgress = defineQuery<ReplayStanding>('replayProgress');
