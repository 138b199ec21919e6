/**
 * A circuit opens when a destination's failures are more than bad luck, or when the receiver asks for a pause. Until it
 * closes, the service sends only probes and the retries that users request; other deliveries wait.
 *
 * Counted are first attempts and the pump's retries, in the order in which they ended. `f` and `a` are the failed and
 * accepted ones before the present failures in a row, of about the last `RECENT_MS`; `r` is the number in a row. A failed
 * retry counts only in `r`, and only if nothing was accepted since its delivery first failed: see `whatNext`.
 *
 *   quiet, a + f < 1          opens at r = FAILURES_TO_OPEN
 *   otherwise                 opens when r failures in a row are less likely than UNLIKELY, given that (f + 1) of
 *                             (a + f + 2) attempts fail: at 5 to 50
 *   mostly failing            opens at a share of OPEN_SHARE of at least OPEN_MIN_ATTEMPTS
 *
 * So a receiver that fails now and then keeps its circuit closed, and a dead one opens it within a few failures.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Low, because each failure repeats a request that a dead receiver cannot answer. */
export const FAILURES_TO_OPEN = 5;
/** Bounds what is sent to a receiver that died after it had failed often. */
export const MAX_FAILURES_TO_OPEN = 50;
/** One in a million runs. At thousands of attempts per second, even unlikely runs occur. */
export const UNLIKELY = 1e-6;
export const RECENT_MS = 10 * SECOND;
export const OPEN_SHARE = 0.8;
export const OPEN_MIN_ATTEMPTS = 20;

export const circuitReasons = ['failures', 'retry_after'] as const;
export type CircuitReason = (typeof circuitReasons)[number];

export const defaultProbeDelaysMs: readonly number[] = [5 * SECOND, 10 * SECOND, 20 * SECOND, 40 * SECOND, MINUTE];

/** A destination is disabled after this time without a success, if at least two deliveries failed. */
export const defaultFailingDisableMs = 120 * HOUR;

/** Receivers that failed together are not probed together. */
const JITTER = 0.2;

/** From then on, the delay grows with the time that the circuit has been open. */
const LONG_OPEN_MS = HOUR;
/** A receiver that recovers is found after at most a twentieth of its outage. */
const SHARE_OF_OUTAGE = 1 / 20;
const MAX_GROWN_DELAY_MS = 15 * MINUTE;

export interface ProbeCount {
  /** Failed probes since the circuit opened. */
  readonly probesMade: number;
  /** Optional. Default: 0. */
  readonly openForMs?: number;
}

/**
 * Returns the delay from the list, whose last entry repeats. After an hour it grows to 15 minutes, unless the list
 * asks for longer.
 *
 * @param random in [0, 1), drawn by the caller
 */
export function probeDelayMs(
  delaysMs: readonly number[],
  { probesMade, openForMs = 0 }: ProbeCount,
  random: number,
): number {
  const listedMs = delaysMs[Math.min(probesMade, delaysMs.length - 1)] ?? MINUTE;
  const grownMs = openForMs < LONG_OPEN_MS ? 0 : Math.min(openForMs * SHARE_OF_OUTAGE, MAX_GROWN_DELAY_MS);
  return Math.round(Math.max(listedMs, grownMs) * (1 - JITTER + 2 * JITTER * random));
}

const PAUSING_STATUSES: readonly number[] = [429, 503];
const MIN_PAUSE_MS = SECOND;
/** Shorter than the cap for one delivery, because a pause holds back all deliveries of the destination. */
const MAX_PAUSE_MS = HOUR;

export function pauseMs(status: number | null, retryAfterMs: number | undefined): number | undefined {
  if (status === null || retryAfterMs === undefined || !PAUSING_STATUSES.includes(status)) return undefined;
  return Math.min(Math.max(retryAfterMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

/**
 * Limits concurrent requests for this long after the circuit closes. By then the limit would reach 64, the default of
 * DESTINATION_IN_FLIGHT.
 */
export const RECOVERY_RAMP_MS = 5 * SECOND;
const FIRST_IN_FLIGHT = 2;

/** Starts with two and doubles every second. */
export function recoveryInFlight(closedForMs: number): number {
  return closedForMs >= RECOVERY_RAMP_MS ? Infinity : FIRST_IN_FLIGHT * 2 ** Math.floor(closedForMs / SECOND);
}

/** A destination whose circuit changed state or that was disabled. Its workflow must be signalled. */
export interface FailingDestination {
  readonly destinationId: number;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly destination: string;
  /** True for a previous URL that is kept for pending deliveries. */
  readonly isKept: boolean;
  readonly probeAtMs: number;
}

export interface DestinationCircuitInput {
  readonly destinationId: number;
  readonly probeAtMs: number;
  readonly probeDelaysMs: readonly number[];
  /** Optional. Across all runs. Default: 0. */
  readonly probesMade?: number;
  readonly isProbeRequested?: boolean;
  readonly isClosed?: boolean;
  /** Optional. Default: the start of the run. */
  readonly openedAtMs?: number;
}

export function circuitNameOf({ destination, channelId, isKept, destinationId }: FailingDestination): string {
  const name = destination === 'webhook' ? `webhook-${channelId}` : destination;
  return isKept ? `${name}/kept-${destinationId}` : name;
}
