/**
 * A message or a post that a client schedules. Its workflow waits until it is due; the row decides what happens then.
 *
 * - `scheduled`: it can be changed and cancelled.
 * - `sending`: the message is claimed by its only call. Back to `scheduled` only if the platform is known to have taken
 *   nothing.
 * - `started`: the post is a media container, whose own status says what became of it. Back to `scheduled` only if
 *   nothing was sent to the platform.
 * - `unknown`: the message may have been sent, and its answer was lost. It is never sent again. An answer that arrives
 *   late says what happened.
 */
export const scheduledMessageStatuses = ['scheduled', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const;
export const scheduledPostStatuses = ['scheduled', 'started', 'failed', 'cancelled'] as const;
export type ScheduledMessageStatus = (typeof scheduledMessageStatuses)[number];
export type ScheduledPostStatus = (typeof scheduledPostStatuses)[number];
export type ScheduledStatus = ScheduledMessageStatus | ScheduledPostStatus;

export type ScheduledKind = 'message' | 'post';

const next: Readonly<Record<ScheduledStatus, readonly ScheduledStatus[]>> = {
  // `scheduled` while its credential is refused. `unknown` after a restore: it may have gone since the backup.
  scheduled: ['scheduled', 'sending', 'started', 'failed', 'unknown', 'cancelled'],
  sending: ['scheduled', 'sent', 'failed', 'unknown'],
  started: ['scheduled'],
  sent: [],
  failed: [],
  unknown: ['sent', 'failed'],
  cancelled: [],
};

const scheduledStatuses = Object.keys(next) as ScheduledStatus[];

export function scheduledStatusesBefore(to: ScheduledStatus): ScheduledStatus[] {
  return scheduledStatuses.filter((from) => next[from].includes(to));
}

export const endedScheduledStatuses: readonly ScheduledStatus[] = ['sent', 'failed', 'unknown', 'cancelled'];

/** Why it ended as `failed` or `unknown`. */
export const scheduledMessageReasons = [
  'too_late',
  'channel_disconnected',
  'channel_moved',
  'not_allowed',
  'refused',
  'outcome_unknown',
  'restored',
] as const;
export type ScheduledReason = (typeof scheduledMessageReasons)[number];
export const scheduledPostReasons = ['too_late', 'channel_disconnected', 'channel_moved', 'restored'] as const;

export const MAX_AHEAD_MS = 90 * 24 * 3_600_000;
/** Tolerated difference between the clocks of the client and the service. Such a message or post is due immediately. */
export const CLOCK_SLACK_MS = 60_000;
/** Later than this after its time, nothing is sent or published any more. */
export const MAX_DELAY_MS = 3_600_000;
/** Of each kind. */
export const MAX_SCHEDULED_PER_CHANNEL = 1_000;
/** For the lookups before a send. The send has its own 30 s. */
export const PREPARE_SEND_MS = 10_000;
/** Longer than the activity of a send, also if its worker is cut off. */
export const SEND_DEADLINE_MS = 60_000;

/** Used after refusals that the platform makes before it takes a message. The last delay repeats. */
const sendRetryMs: readonly number[] = [10_000, 30_000, 60_000, 120_000, 300_000];

export function sendRetryDelayMs(attempts: number): number {
  return sendRetryMs[Math.min(Math.max(attempts, 1), sendRetryMs.length) - 1] ?? MAX_DELAY_MS;
}

export interface CarryScheduledInput {
  readonly scheduledId: string;
  /** Optional. Default: the row is read at once. */
  readonly dueAtMs?: number;
}

export interface ScheduledStanding {
  readonly status: ScheduledStatus;
  /** Until the row should be looked at again, by the clock of the database. Null if nothing is left to do. */
  readonly waitMs: number | null;
}

export interface ScheduledStart {
  readonly scheduledId: string;
  readonly channelId: string;
  readonly workspaceId: string;
  /** Null once it has ended. */
  readonly dueAtMs: number | null;
}
