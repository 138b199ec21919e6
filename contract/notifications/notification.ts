/** `alert.test`: sent on request with a sample alert, and never repeated. */
export const alertCallTypes = ['alert.opened', 'alert.resolved', 'alert.test'] as const;
export type AlertCallType = (typeof alertCallTypes)[number];

/** To the owner of the link through which a channel was connected. */
export type ConnectionNoticeType = 'channel.connected' | 'channel.reconnected';

/** `skipped`: the alert webhook no longer selects any of the alerts, or was disabled. */
export type NotificationOutcome = 'delivered' | 'failed' | 'skipped';

/** Of one attempt. `unsent`: the worker could not send. `early`: another run was faster. `ended`: so was its row. */
export type AttemptResult = NotificationOutcome | 'retrying' | 'unsent' | 'early' | 'ended';

export interface NotificationAttempt {
  readonly result: AttemptResult;
  /** Until the next attempt. Null if none follows. */
  readonly waitMs: number | null;
}

/** Alerts that one call lists. Its body is then at most about 100 KB. */
export const MAX_CALLED_ALERTS = 50;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after failed attempts; about a day in all. */
export const notificationWaitsMs: readonly number[] = [
  ...[0.5, 2, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 8].map((hours) => hours * HOUR_MS),
];
