const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Three days in all, so that a receiver that breaks on a Friday evening still receives attempts on Monday. */
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

/** Receivers that failed together are not retried together. */
const JITTER = 0.2;
/** The longest delay of the default schedule, so that a receiver cannot postpone a delivery indefinitely. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Returns the delay before the next attempt, or undefined after the last attempt.
 * @param failedAttempts failed attempts of this schedule, at least 1
 * @param random in [0, 1), drawn by the caller
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

/** A delivery that has waited longer is exhausted without an attempt. */
export function wholeScheduleMs(scheduleMs: readonly number[]): number {
  return scheduleMs.reduce((sum, delayMs) => sum + delayMs, 0) * (1 + JITTER);
}

/**
 * Parses delta-seconds or an HTTP date (RFC 9110, 10.2.3). Returns at most one day, or undefined if invalid or past.
 */
export function parseRetryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const delayMs = /^\d{1,10}$/.test(text) ? Number(text) * SECOND : httpDateMs(text) - nowMs;
  if (!Number.isFinite(delayMs) || delayMs <= 0) return undefined;
  return Math.min(delayMs, MAX_RETRY_AFTER_MS);
}

/** `Date.parse` alone accepts "1.5". */
function httpDateMs(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}

/** Retry-After cannot shorten a delay. */
export function nextDelayMs(scheduledMs: number, retryAfterMs: number | undefined): number {
  return Math.max(scheduledMs, retryAfterMs ?? 0);
}
