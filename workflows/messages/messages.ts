import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import type { Acceptance, PublishResult } from '../../contract/containers/workflow.ts';
import type { PumpReport } from '../../contract/deliveries/pump-report.ts';
import type { RegistrationEnd } from '../../contract/identity/email-code.ts';
import type { ReplayState } from '../../contract/replays/replay.ts';
import type { RotationInput, RotationResult } from '../../contract/channels/token.ts';

/** The signals, queries and updates of the workflows. */

export const probeNow = defineSignal('probeNow');

/** The circuit changed state in the ledger. */
export const circuitMoved = defineSignal<[CircuitMove]>('circuitMoved');

interface CircuitMove {
  readonly destinationId: number;
}

/** Anybody can send a signal with any argument, and a handler that throws blocks its workflow for good. */
export function isMove(argument: unknown): argument is CircuitMove {
  return Number.isSafeInteger(Object(argument).destinationId);
}

interface CircuitProgress {
  readonly state: 'open' | 'closed';
  readonly probesMade: number;
  readonly lastAnswer: string | null;
  readonly nextProbeAt: string | null;
}
export const circuitProgress = defineQuery<CircuitProgress>('circuitProgress');

export interface ContainerProgress {
  readonly status: ContainerStatus;
  readonly checkedAt: string | null;
  readonly nextCheckAt: string | null;
}
export const containerProgress = defineQuery<ContainerProgress>('containerProgress');

export const awaitAcceptance = defineUpdate<Acceptance>('awaitAcceptance');

/**
 * Idempotent. The validator throws `ContainerNotReady` while the platform processes the container, and `ContainerEnded`
 * if it can no longer be published.
 */
export const publishContainer = defineUpdate<PublishResult>('publishContainer');

export const retryNow = defineSignal('retryNow');

/** The destination's circuit has closed, or the delivery has ended. */
export const circuitClosed = defineSignal('circuitClosed');

interface DeliveryProgress {
  readonly attemptsMade: number;
  readonly lastAnswer: string | null;
  readonly nextAttemptAt: string | null;
}
export const deliveryProgress = defineQuery<DeliveryProgress>('deliveryProgress');

/** Sent after the commit. */
export const registrationEnded = defineSignal<[RegistrationEnd]>('registrationEnded');

export const codeRefused = defineSignal('codeRefused');

/** These return the replay's state. Their validators throw `ReplayEnded` after its end. */
export const pauseReplay = defineUpdate<ReplayState>('pauseReplay');
export const resumeReplay = defineUpdate<ReplayState>('resumeReplay');
export const cancelReplay = defineUpdate<ReplayState>('cancelReplay');

/** The replay's row changed, or the replay makes no progress. */
export const replayMoved = defineSignal('replayMoved');

export const replayProgress = defineQuery<ReplayState>('replayProgress');

interface ScheduledMove {
  /** When the row says that it is due. Null once it has ended. */
  readonly dueAtMs: number | null;
}

/** The row changed or was cancelled, or its workflow has not acted for a minute. */
export const scheduledMoved = defineSignal<[ScheduledMove]>('scheduledMoved');

/** The last report of a worker's pump. Null before the first. */
export const pumpState = defineQuery<PumpReport | null>('pumpState');

/** Idempotent per rotation. */
export const rotateChannelToken = defineUpdate<RotationResult, [RotationInput]>('rotateChannelToken');
