import { destinationCircuitWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/**
 * A destination's circuit. It opens when first attempts fail so often in a row, or when the receiver asks for a pause;
 * while it is open nothing goes but the probes of the workflow `destination/<id>`, and what waits stays in the ledger.
 */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** So many failures in a row become troubled deliveries of their own; the last of them opens the circuit. */
export const FAILURES_TO_OPEN = 5;

export const circuitReasons = ['failures', 'retry_after'] as const;
export type CircuitReason = (typeof circuitReasons)[number];

/** The waits before the first, second, … probe, the last one for ever. */
export const defaultProbeDelaysMs: readonly number[] = [5 * SECOND, 10 * SECOND, 20 * SECOND, 40 * SECOND, MINUTE];

/** The failures of a destination without any success after which it is disabled: five days. */
export const defaultFailingDisableMs = 120 * HOUR;

/** Receivers that failed together don't get their probes together. */
const JITTER = 0.2;

/**
 * The wait before the next probe, in milliseconds.
 * @param probesMade failed probes since the circuit opened
 * @param random a number in [0, 1), drawn by the caller
 */
export function probeDelayMs(delaysMs: readonly number[], probesMade: number, random: number): number {
  const delayMs = delaysMs[Math.min(probesMade, delaysMs.length - 1)] ?? MINUTE;
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
}

/** Statuses with which a receiver may ask the whole destination to pause, and not only this delivery to wait. */
const PAUSING_STATUSES: readonly number[] = [429, 503];
const MIN_PAUSE_MS = SECOND;
const MAX_PAUSE_MS = HOUR;

/** The pause that an answer asks for, in milliseconds within bounds; undefined when it asks for none. */
export function pauseMs(status: number | null, retryAfterMs: number | undefined): number | undefined {
  if (status === null || retryAfterMs === undefined || !PAUSING_STATUSES.includes(status)) return undefined;
  return Math.min(Math.max(retryAfterMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

/** Within so many milliseconds after its circuit closed, a destination is back at as many requests as it may have. */
export const RECOVERY_RAMP_MS = 5 * SECOND;
const FIRST_IN_FLIGHT = 2;

/** The requests that a destination may have open so long after its circuit closed: two at first, doubling each second. */
export function recoveryInFlight(closedForMs: number): number {
  return closedForMs >= RECOVERY_RAMP_MS ? Infinity : FIRST_IN_FLIGHT * 2 ** Math.floor(closedForMs / SECOND);
}

/** A destination whose circuit has opened or closed, or that was disabled: its workflow has something to see to. */
export interface TroubledDestination {
  readonly destinationId: number;
  readonly channelId: string;
  readonly workspaceId: string;
  /** `webhook`, or the subscription's id. */
  readonly destination: string;
  /** The URL of before, which gets what waited for it: a destination of its own, under the name of the other. */
  readonly isKept: boolean;
  readonly probeAtMs: number;
}

/** What a destination's workflow is started with: ids and times. */
export interface DestinationCircuitInput {
  readonly destinationId: number;
  readonly probeAtMs: number;
  readonly probeDelaysMs: readonly number[];
  /** Over all runs since the circuit opened. */
  readonly probesMade?: number;
  /** Somebody asked the run before this one for a probe, which it has not made. */
  readonly isProbeRequested?: boolean;
  /** The run before this one had seen it close. */
  readonly isClosed?: boolean;
}

/** What names a destination's circuit in the id of its workflow. */
export function circuitNameOf({ destination, channelId, isKept, destinationId }: TroubledDestination): string {
  const name = destination === 'webhook' ? `webhook-${channelId}` : destination;
  return isKept ? `${name}/kept-${destinationId}` : name;
}

/**
 * How a destination's workflow is started or told to look again, by whoever notices that there is something to see. The
 * ledger says what: the workflow asks it first.
 */
export function destinationCircuitStart(troubled: TroubledDestination, probeDelaysMs: readonly number[]) {
  const { destinationId, probeAtMs, destination, channelId } = troubled;
  const input: DestinationCircuitInput = { destinationId, probeAtMs, probeDelaysMs };
  return {
    workflowType: 'destinationCircuit',
    workflowId: destinationCircuitWorkflowId(circuitNameOf(troubled)),
    taskQueue: taskQueues.main,
    args: [input] as [DestinationCircuitInput],
    signalArgs: [{ destinationId }] as [{ destinationId: number }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Circuit of ${destination} of ${channelId}`,
    keywords: {
      [searchAttributes.workspace]: troubled.workspaceId,
      [searchAttributes.channel]: channelId,
      [searchAttributes.destination]: destination,
      [searchAttributes.state]: 'open',
    },
  } as const;
}
