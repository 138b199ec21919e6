import type { Attempt } from '../../db/ledger/attempts.ts';

/**
 * Decides how many requests a destination may have in flight. The allowance doubles per round trip at first and grows
 * by one per round trip after a decrease. It halves when the receiver is overloaded or only fails, which is decided by
 * the share of failures over a time window, not by single ones: a receiver that fails now and then keeps its rate.
 *
 * A round begins with each decrease. Requests sent in an earlier round are not counted, so that one overload halves
 * the allowance once.
 */
export interface Allowance {
  readonly value: number;
  /** Must be remembered with each request that is sent. */
  readonly round: number;
  count(answer: Answer, round: number): void;
}

/** `overloaded`: no answer in time, or an answer that asks for fewer requests. */
export type Answer = 'accepted' | 'failed' | 'overloaded';

export interface AllowanceOptions {
  readonly first: number;
  readonly max: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** 502 and 504 come from a proxy whose server is saturated. */
const OVERLOAD_STATUSES: readonly number[] = [429, 502, 503, 504];

export function answerOf({ outcome, status }: Pick<Attempt, 'outcome' | 'status'>): Answer {
  if (outcome === 'accepted') return 'accepted';
  return outcome === 'no_response' || OVERLOAD_STATUSES.includes(status ?? 0) ? 'overloaded' : 'failed';
}

/** A share counts over one to two spans, or over as many outcomes as decide it if these take longer. */
const SPAN_MS = 500;
/** Outcomes of a span that ended longer ago don't describe the receiver any more. */
const STALE_MS = 2_000;
/** Below this count, chance alone reaches the shares. */
const MIN_OUTCOMES = 32;
/** Above half, so that a receiver that refuses every second request at random keeps its rate. */
const MAX_OVERLOADED_SHARE = 0.6;
const MAX_FAILED_SHARE = 0.8;
/** This many failures without a success decide at once, or a whole round of them if that is more. */
const MIN_FAILURES_IN_A_ROW = 8;

interface Counts {
  readonly all: number;
  readonly failed: number;
  readonly overloaded: number;
}

const NONE: Counts = { all: 0, failed: 0, overloaded: 0 };

export function createAllowance({ first, max, now }: AllowanceOptions): Allowance {
  let value = first;
  let round = 0;
  let doublesUntil = max;
  let hasGrown = true;
  let failuresInARow = 0;
  let previous = NONE;
  let current = NONE;
  let spanBeganMs = now();
  let lastMs = spanBeganMs;

  return {
    get value() {
      return Math.floor(value);
    },
    get round() {
      return round;
    },
    count(answer, sentInRound) {
      if (sentInRound !== round) return;
      endSpanIfOver();
      current = including(current, answer);
      failuresInARow = answer === 'accepted' ? 0 : failuresInARow + 1;
      if (answer === 'accepted') grow();
      else if (isTooMuch()) shrink();
    },
  };

  function endSpanIfOver(): void {
    const nowMs = now();
    if (current.all >= MIN_OUTCOMES && nowMs - spanBeganMs >= SPAN_MS) {
      previous = nowMs - lastMs > STALE_MS ? NONE : current;
      current = NONE;
      spanBeganMs = nowMs;
    }
    lastMs = nowMs;
  }

  function isTooMuch(): boolean {
    if (failuresInARow >= Math.max(MIN_FAILURES_IN_A_ROW, Math.floor(value))) return true;
    const all = previous.all + current.all;
    if (all < MIN_OUTCOMES) return false;
    if (previous.overloaded + current.overloaded > all * MAX_OVERLOADED_SHARE) return true;
    return previous.failed + current.failed > all * MAX_FAILED_SHARE;
  }

  function grow(): void {
    value = Math.min(value + (value < doublesUntil ? 1 : 1 / value), max);
    hasGrown = true;
  }

  function shrink(): void {
    // Only the first decrease of a series tells where the receiver's limit is.
    if (hasGrown) doublesUntil = value / 2;
    hasGrown = false;
    value = Math.max(Math.floor(value / 2), 1);
    round++;
    failuresInARow = 0;
    previous = current = NONE;
    spanBeganMs = now();
  }
}

function including({ all, failed, overloaded }: Counts, answer: Answer): Counts {
  return {
    all: all + 1,
    failed: failed + (answer === 'accepted' ? 0 : 1),
    overloaded: overloaded + (answer === 'overloaded' ? 1 : 0),
  };
}
