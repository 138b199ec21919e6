/**
 * Delays between polls of a container that the platform is processing. The platform's documentation asks for at most one
 * poll per minute. Few videos take longer than some minutes, so later polls are rarer.
 */
export const defaultPollScheduleMs: readonly number[] = [60, 60, 60, 60, 60, 120, 180, 240, 300].map(
  (seconds) => seconds * 1_000,
);

/** Upper bound of the configurable delays: a finished container is noticed within five minutes. */
export const MAX_POLL_MS = 300_000;

export interface PublishWaits {
  /** Delays between polls after a lost publish response. A container still unpublished at the last was not published. */
  readonly unpublishedMs: readonly number[];
  /** Delays between polls while the platform is unavailable. The last one repeats. */
  readonly unreadableMs: readonly number[];
  /** Delay before an automatic retry after a temporary refusal, and after an exhausted quota. */
  readonly retryMs: number;
  readonly quotaRetryMs: number;
}

/** Publishing takes the platform seconds. Its quota is a sliding window of a day; other temporary refusals last minutes. */
export const defaultPublishWaits: PublishWaits = {
  unpublishedMs: [1_000, 3_000, 10_000, 20_000],
  unreadableMs: [30_000, 30_000, 30_000, 30_000, 60_000, 120_000, MAX_POLL_MS],
  retryMs: 60_000,
  quotaRetryMs: 3_600_000,
};

/** Returns the delay after the given number of polls, from 1. The last delay repeats. */
export function pollDelayMs(scheduleMs: readonly number[], looks: number): number {
  return scheduleMs[Math.min(looks, scheduleMs.length) - 1] ?? MAX_POLL_MS;
}
