/**
 * The states of a scheduled post and their transitions.
 *
 * - `scheduled`: it can be changed and cancelled.
 * - `started`: it is a media container, whose own status says what became of it. Back to `scheduled` only if nothing was
 *   sent to the platform.
 */
export const scheduledPostStatuses = ['scheduled', 'started', 'failed', 'cancelled'] as const;
export type ScheduledPostStatus = (typeof scheduledPostStatuses)[number];

/** Why a post ended as `failed`. */
export const scheduledPostReasons = ['too_late', 'channel_disconnected', 'channel_moved', 'restored'] as const;
export type ScheduledPostReason = (typeof scheduledPostReasons)[number];

export const MAX_PUBLISH_AHEAD_MS = 90 * 24 * 3_600_000;
/** Tolerated difference between the clocks of the client and the service. Such a post starts immediately. */
export const PUBLISH_CLOCK_SLACK_MS = 60_000;
/** Later than this after its `publishAt`, a post is no longer started. */
export const MAX_PUBLISH_DELAY_MS = 3_600_000;
export const MAX_SCHEDULED_POSTS_PER_CHANNEL = 1_000;
