/** The platform asks for at most one poll per minute. Few videos take longer than minutes. */
export const defaultPollScheduleMs: readonly number[] = [60, 60, 60, 60, 60, 120, 180, 240, 300].map(
  (seconds) => seconds * 1_000,
);

/** A finished container is detected within five minutes. */
export const MAX_POLL_MS = 300_000;

export interface PublishWaits {
  /** After a lost response, a container still unpublished after these delays was not published. */
  readonly unpublishedMs: readonly number[];
  /** Used while the platform is unavailable. The last delay repeats. */
  readonly unreadableMs: readonly number[];
  readonly retryMs: number;
  readonly quotaRetryMs: number;
}

/** Publishing takes seconds, and temporary refusals last minutes. The quota is a sliding window of a day. */
export const defaultPublishWaits: PublishWaits = {
  unpublishedMs: [1_000, 3_000, 10_000, 20_000],
  unreadableMs: [30_000, 30_000, 30_000, 30_000, 60_000, 120_000, MAX_POLL_MS],
  retryMs: 60_000,
  quotaRetryMs: 3_600_000,
};

export function pollDelayMs(scheduleMs: readonly number[], looks: number): number {
  return scheduleMs[Math.min(looks, scheduleMs.length) - 1] ?? MAX_POLL_MS;
}
