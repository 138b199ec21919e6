/**
 * Waits between looks at a container that the platform is processing. Its documentation asks for one a minute at most;
 * past the first minutes a video is rare, so that a look every five is enough until the container expires.
 */
export const defaultPollScheduleMs: readonly number[] = [60, 60, 60, 60, 60, 120, 180, 240, 300].map(
  (seconds) => seconds * 1_000,
);

/** A bound on the settable schedule: what is finished must be noticed within five minutes. */
export const MAX_POLL_MS = 300_000;

/** The waits around a publish. */
export interface PublishWaits {
  /** Between looks at a publish whose answer was lost: what still says unpublished after the last was not published. */
  readonly unpublishedMs: readonly number[];
  /** Between looks at a platform that can't be read; the last one repeats. */
  readonly unreadableMs: readonly number[];
  /** Before a container is published again by itself: after a refusal that passes, and after one for the quota. */
  readonly retryMs: number;
  readonly quotaRetryMs: number;
}

/**
 * A publish takes the platform seconds. A platform that is away is asked less and less often, because that may take all
 * day. The quota is a moving window of a day; the other refusals that pass do so within minutes.
 */
export const defaultPublishWaits: PublishWaits = {
  unpublishedMs: [1_000, 3_000, 10_000, 20_000],
  unreadableMs: [30_000, 30_000, 30_000, 30_000, 60_000, 120_000, MAX_POLL_MS],
  retryMs: 60_000,
  quotaRetryMs: 3_600_000,
};

/** The wait after so many looks (1 …): the schedule's own, then its last one again and again. */
export function pollDelayMs(scheduleMs: readonly number[], looks: number): number {
  return scheduleMs[Math.min(looks, scheduleMs.length) - 1] ?? MAX_POLL_MS;
}
