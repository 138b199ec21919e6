import { pauseMs } from '../destinations/circuit.ts';
import { nextDelayMs } from './retry-schedule.ts';

/** Two consecutive responses with this status disable a destination. */
export const GONE_STATUS = 410;

/**
 * `first`: no failure of this delivery has counted yet. `short`: a retry that the pump makes. `scheduled`: made by the
 * delivery's workflow. `probe`: made for an open circuit.
 */
export type AttemptKind = 'first' | 'short' | 'scheduled' | 'probe';

export interface FailedAnswer {
  readonly kind: AttemptKind;
  readonly number: number;
  readonly failedInSchedule: number;
  /** Null without a response. */
  readonly status: number | null;
  readonly endedAtMs: number;
  readonly retryAfterMs: number | undefined;
  /** Until the next attempt or, after a probe, until the next probe. Null after the last attempt. */
  readonly delayMs: number | null;
  /** Optional. The pump makes all attempts of the destination. Default: false. */
  readonly staysInPump?: boolean;
}

/**
 * `wait`: the attempt does not advance the schedule, and the delivery waits for the circuit.
 *
 * The ledger applies `retry` and `exhaust` only while the circuit is closed; an open circuit turns both into `wait`.
 */
export type NextStep =
  | { readonly next: 'retry'; readonly nextAttemptAtMs: number; readonly by: 'pump' | 'workflow' }
  | { readonly next: 'exhaust' | 'wait'; readonly nextAttemptAtMs: null };

/**
 * Whether a failure may open the circuit. `unless_accepted`: only if the destination has accepted nothing since the
 * first failure of the delivery. A retry repeats a request that failed, so its failure shows a dead receiver only if
 * nothing shows a bad event.
 */
export type CircuitCount = 'always' | 'unless_accepted' | 'never';

/** What happens to a delivery and its destination after an attempt that was not accepted. */
export type AfterFailure = NextStep & {
  /** A requested pause or, after a probe, the wait until the next one. Null leaves the circuit to the failure counts. */
  readonly pauseMs: number | null;
  /** The destination is disabled if the previous attempt of the delivery was also answered with `GONE_STATUS`. */
  readonly mayBeGone: boolean;
  readonly countsForCircuit: CircuitCount;
};

/** A delivery's workflow retries alone, days after others, and may fail because of its event. */
const circuitCounts = {
  first: 'always',
  short: 'unless_accepted',
  scheduled: 'never',
  probe: 'never',
} as const satisfies Readonly<Record<AttemptKind, CircuitCount>>;

export function whatNext(answer: FailedAnswer): AfterFailure {
  const { kind, number, status, retryAfterMs, delayMs } = answer;
  const pause = pauseMs(status, retryAfterMs) ?? null;
  const evidence = { mayBeGone: status === GONE_STATUS, countsForCircuit: circuitCounts[kind] };
  if (kind === 'probe') return { ...WAIT, pauseMs: Math.max(delayMs ?? 0, pause ?? 0), ...evidence };
  // The pause holds back the whole destination, so the delivery needs no schedule yet.
  if (kind === 'first' && number === 1 && pause !== null) return { ...WAIT, pauseMs: pause, ...evidence };
  return { ...scheduledStep(answer), pauseMs: pause, ...evidence };
}

const WAIT = { next: 'wait', nextAttemptAtMs: null } as const;

/** A delivery gets its workflow with this failure. Most failures are over by then. */
const FAILURES_TO_WORKFLOW = 3;
const MAX_SHORT_MS = 2 * 60_000;
/** Further deliveries of one destination stay in the pump with any delay, so that they stay cheap. */
export const MAX_WORKFLOWS_PER_DESTINATION = 50;

function scheduledStep(answer: FailedAnswer): NextStep {
  const { kind, failedInSchedule, endedAtMs, retryAfterMs, delayMs, staysInPump = false } = answer;
  if (delayMs === null) return { next: 'exhaust', nextAttemptAtMs: null };
  const waitMs = nextDelayMs(delayMs, retryAfterMs);
  const isShort = kind !== 'scheduled' && failedInSchedule + 1 < FAILURES_TO_WORKFLOW && waitMs <= MAX_SHORT_MS;
  return { next: 'retry', nextAttemptAtMs: endedAtMs + waitMs, by: isShort || staysInPump ? 'pump' : 'workflow' };
}
