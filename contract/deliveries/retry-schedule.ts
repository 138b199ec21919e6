const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The waits after the first, second, … failed attempt, in milliseconds: three days in all, so that a receiver that
 * breaks on a Friday evening is still tried on Monday (interface, "Deliveries").
 */
export const defaultRetryScheduleMs: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Share of the wait by which jitter may move it either way: receivers that failed together don't come back together. */
const JITTER = 0.2;
/** A receiver may ask for more patience than the schedule has, within reason. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * The wait before the next attempt, in milliseconds; undefined when the schedule has run out.
 * @param failedAttempts failed attempts of this schedule so far, at least 1
 * @param random a number in [0, 1), drawn by the caller
 */
export function retryDelayMs(
  scheduleMs: readonly number[],
  failedAttempts: number,
  random: number,
): number | undefined {
  const delayMs = scheduleMs[failedAttempts - 1];
  if (delayMs === undefined) return undefined;
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
}

/** How long a whole schedule lasts at most: what has waited for longer than that is exhausted without an attempt. */
export function wholeScheduleMs(scheduleMs: readonly number[]): number {
  return scheduleMs.reduce((sum, delayMs) => sum + delayMs, 0) * (1 + JITTER);
}

/**
 * The wait that a `Retry-After` value asks for, in milliseconds: delta-seconds or an HTTP date (RFC 9110, 10.2.3),
 * at most a day. Undefined for anything else, and for a moment that has passed.
 */
export function parseRetryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const delayMs = /^\d{1,10}$/.test(text) ? Number(text) * SECOND : httpDateMs(text) - nowMs;
  if (!Number.isFinite(delayMs) || delayMs <= 0) return undefined;
  return Math.min(delayMs, MAX_RETRY_AFTER_MS);
}

/** Only the fixed form `Sun, 06 Nov 1994 08:49:37 GMT`: `Date.parse` alone would take "1.5" for a date. */
function httpDateMs(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}

/** Retry-After only ever delays: the later of the schedule's wait and the receiver's. */
export function nextDelayMs(scheduledMs: number, retryAfterMs: number | undefined): number {
  return Math.max(scheduledMs, retryAfterMs ?? 0);
}
