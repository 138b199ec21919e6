/**
 * The states of a scheduled message and their transitions.
 *
 * - `scheduled`: it can be changed and cancelled. The upkeep starts its workflow shortly before it is due.
 * - `sending`: claimed by its only call. Back to `scheduled` only if the platform is known to have taken nothing.
 * - `unknown`: the call may have been sent, and its answer was lost. It is never sent again. An answer that arrives late
 * tells what happened.
 */
export const scheduledMessageStatuses = ['scheduled', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const;
export type ScheduledMessageStatus = (typeof scheduledMessageStatuses)[number];

const next: Readonly<Record<ScheduledMessageStatus, readonly ScheduledMessageStatus[]>> = {
  // `unknown` after the database was restored: it may have gone since the backup.
  scheduled: ['sending', 'failed', 'unknown', 'cancelled'],
  sending: ['scheduled', 'sent', 'failed', 'unknown'],
  sent: [],
  failed: [],
  unknown: ['sent', 'failed'],
  cancelled: [],
};

function scheduledMessageMayBecome(from: ScheduledMessageStatus, to: ScheduledMessageStatus): boolean {
  return next[from].includes(to);
}

export function scheduledMessageStatusesBefore(to: ScheduledMessageStatus): ScheduledMessageStatus[] {
  return scheduledMessageStatuses.filter((from) => scheduledMessageMayBecome(from, to));
}

export const endedScheduledMessageStatuses: readonly ScheduledMessageStatus[] = scheduledMessageStatuses.filter(
  (status) => status !== 'scheduled' && status !== 'sending',
);

/** Why a message ended as `failed` or `unknown`. */
export const scheduledMessageReasons = [
  'too_late',
  'channel_disconnected',
  'channel_moved',
  'not_allowed',
  'refused',
  'outcome_unknown',
  'restored',
] as const;
export type ScheduledMessageReason = (typeof scheduledMessageReasons)[number];

export const MAX_SEND_AHEAD_MS = 90 * 24 * 3_600_000;
/** Tolerated difference between the clocks of the client and the service. Such a message goes immediately. */
export const SEND_CLOCK_SLACK_MS = 60_000;
/** Later than this after its `sendAt`, a message is no longer sent. */
export const MAX_SEND_DELAY_MS = 3_600_000;
export const MAX_SCHEDULED_PER_CHANNEL = 1_000;
/** The upkeep looks about every five seconds. The workflow waits for the rest with a timer. */
export const START_AHEAD_MS = 10_000;
/** Longer than a run, whose workflow times out after a minute. A message whose run was lost is started again then. */
export const START_HOLD_MS = 65_000;
/** For the lookups before a send. The send has its own 30 s. */
export const PREPARE_SEND_MS = 10_000;
/** Longer than the activity of a send, also if its worker is cut off. */
export const SEND_DEADLINE_MS = 60_000;

/** Used after refusals that the platform makes before it takes a message. The last delay repeats. */
const sendRetryMs: readonly number[] = [10_000, 30_000, 60_000, 120_000, 300_000];

export function sendRetryDelayMs(attempts: number): number {
  return sendRetryMs[Math.min(Math.max(attempts, 1), sendRetryMs.length) - 1] ?? MAX_SEND_DELAY_MS;
}

export interface SendScheduledMessageInput {
  readonly scheduledMessageId: string;
}

export interface ScheduledMessageStanding {
  readonly status: ScheduledMessageStatus;
  /** By the clock of the database. Null unless the message is scheduled. */
  readonly waitMs: number | null;
}

export interface StartedScheduledMessage {
  readonly scheduledMessageId: string;
  readonly channelId: string;
  readonly workspaceId: string;
}
