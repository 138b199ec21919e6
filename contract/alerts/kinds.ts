export const alertSeverities = ['warning', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const alertStatuses = ['open', 'resolved'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

export const alertSubjectTypes = [
  'webhook',
  'subscription',
  'listener',
  'channel',
  'credential',
  'container',
  'replay',
] as const;
export type AlertSubjectType = (typeof alertSubjectTypes)[number];

/**
 * `state`: the cause lasts, such as an open circuit, and an acknowledgement only says that a person knows about it.
 * `moment`: the cause has happened, such as a failed replay, and an acknowledgement resolves the alert.
 */
export type AlertCause = 'state' | 'moment';

interface AlertKindDefinition {
  readonly severity: AlertSeverity;
  readonly cause: AlertCause;
  readonly title: string;
  /** Completes the sentence "Resolved …". */
  readonly resolved: string;
}

/** The one table of kinds. A new kind also needs the statement that finds its causes, in `db/alerts/causes.ts`. */
export const alertKinds = {
  'destination.circuit_open': {
    severity: 'warning',
    cause: 'state',
    title: 'Deliveries to a destination are paused',
    resolved: 'when the destination accepts a delivery, is disabled or is deleted',
  },
  'destination.disabled': {
    severity: 'critical',
    cause: 'state',
    title: 'A destination was disabled',
    resolved: 'when the destination is enabled, gets a new URL or is deleted',
  },
  'deliveries.notSettling': {
    severity: 'critical',
    cause: 'state',
    title: 'Deliveries to a destination are not recorded',
    resolved: 'two minutes after the service last failed to record one',
  },
  'deliveries.overdue': {
    severity: 'critical',
    cause: 'state',
    title: 'Deliveries to a destination are late',
    resolved: 'when no delivery has waited for two minutes',
  },
  'deliveries.exhausted': {
    severity: 'critical',
    cause: 'moment',
    title: 'Deliveries were given up',
    resolved:
      'when it is acknowledged, an hour after the last one if the destination has accepted a delivery since, and otherwise after 24 hours',
  },
  'channel.disconnected': {
    severity: 'critical',
    cause: 'moment',
    title: 'A channel lost its connection',
    resolved: 'when it is acknowledged, when the account is connected again, and after 7 days',
  },
  'credential.refused': {
    severity: 'critical',
    cause: 'state',
    title: "The platform refuses a connected account's credential",
    resolved:
      'when the account is connected again, and when a health check finds that the platform takes the credential',
  },
  'credential.expiring': {
    severity: 'critical',
    cause: 'state',
    title: "A connected account's credential is about to end",
    resolved: 'when the credential is renewed or its channels are disconnected',
  },
  'channel.health': {
    severity: 'warning',
    cause: 'state',
    title: "A channel's health needs attention",
    resolved: 'when a check finds none of its reasons, and when the channel is disconnected',
  },
  'container.failed': {
    severity: 'warning',
    cause: 'moment',
    title: 'Media containers failed',
    resolved: 'when it is acknowledged, and 24 hours after the last failure',
  },
  'container.unknown': {
    severity: 'warning',
    cause: 'moment',
    title: 'The state of media containers is unknown',
    resolved: 'when it is acknowledged, when their state is known, and 24 hours after the last one',
  },
  'scheduledMessage.failed': {
    severity: 'warning',
    cause: 'moment',
    title: 'Scheduled messages were not sent',
    resolved: 'when it is acknowledged, and 24 hours after the last failure',
  },
  'scheduledPost.failed': {
    severity: 'warning',
    cause: 'moment',
    title: 'Scheduled posts were not published',
    resolved: 'when it is acknowledged, and 24 hours after the last failure',
  },
  'defaultWebhook.failed': {
    severity: 'warning',
    cause: 'state',
    title: 'A new channel has no webhook',
    resolved: 'when the channel has a webhook or is disconnected, and when its failed rollout is deleted for its age',
  },
  'replay.failed': {
    severity: 'warning',
    cause: 'moment',
    title: 'A replay ended with failures',
    resolved: 'when it is acknowledged, and 24 hours after its last failure was found',
  },
} as const satisfies Readonly<Record<string, AlertKindDefinition>>;

export type AlertKind = keyof typeof alertKinds;
export const alertKindNames = Object.keys(alertKinds) as AlertKind[];

export function isMoment(kind: AlertKind): boolean {
  return alertKinds[kind].cause === 'moment';
}

/** Why an alert is resolved: its cause ended, or a person acknowledged something that has happened. */
export type AlertResolution = 'ended' | 'acknowledged';

/** Longest time for which an alert can be muted. */
export const MAX_MUTE_MS = 30 * 86_400_000;
