export const healthStatuses = ['healthy', 'warning', 'failing', 'unknown'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** `unknown`: the platform has not rated the number yet. */
export const qualityRatings = ['high', 'medium', 'low', 'unknown'] as const;
export type QualityRating = (typeof qualityRatings)[number];

/** `not_registered`: never registered, or no longer. `offline`: moved elsewhere or deleted. */
export const accountStatuses = [
  'connected',
  'flagged',
  'restricted',
  'banned',
  'not_registered',
  'offline',
  'unknown',
] as const;
export type AccountStatus = (typeof accountStatuses)[number];

export const nameStatuses = ['approved', 'pending', 'declined', 'unknown'] as const;
export type NameStatus = (typeof nameStatuses)[number];

export interface Permissions {
  readonly granted: readonly string[];
  readonly missing: readonly string[];
}

/** The app's subscription to the events of an account. */
export interface EventSubscription {
  /** False if no messages arrive. */
  readonly isSubscribed: boolean;
  /** Of a Page, in the platform's words. Empty for a number, whose fields are those of the app. */
  readonly fields: readonly string[];
  readonly missing: readonly string[];
}

/** What the platform says about a connected account. Null where it says nothing for the channel's type. */
export interface HealthReading {
  readonly quality: QualityRating | null;
  readonly tier: string | null;
  readonly throughput: string | null;
  readonly accountStatus: AccountStatus | null;
  readonly nameStatus: NameStatus | null;
  readonly name: string | null;
  readonly username: string | null;
  readonly pictureUrl: string | null;
  readonly businessAccountId: string | null;
  readonly permissions: Permissions | null;
  /** Null if the platform does not show it. */
  readonly subscription: EventSubscription | null;
  readonly credentialExpiresAt: Date | null;
}

interface HealthReasonDefinition {
  readonly severity: 'warning' | 'failing' | 'unknown';
  /** Whether it opens the alert `channel.health`. Others have an alert of their own, or none. */
  readonly alerts: boolean;
  readonly message: string;
}

/** The one table of reasons, the most serious first. Stored: add rows, but never rename one. */
export const healthReasons = {
  disconnected: { severity: 'failing', alerts: false, message: 'The channel is disconnected. Connect it again.' },
  credential_refused: {
    severity: 'failing',
    alerts: false,
    message: 'The platform refuses the credential: events arrive, but nothing can be sent. Connect the account again.',
  },
  account_not_found: {
    severity: 'failing',
    alerts: true,
    message: 'The platform no longer shows the account to this credential. Connect it again.',
  },
  account_banned: { severity: 'failing', alerts: true, message: 'The platform banned the number. Appeal to it.' },
  account_not_registered: {
    severity: 'failing',
    alerts: true,
    message: 'The number is not registered, so it receives and sends nothing. Register it with its PIN.',
  },
  account_offline: {
    severity: 'failing',
    alerts: true,
    message: 'The number was moved or deleted at the platform. Connect it again.',
  },
  account_restricted: {
    severity: 'failing',
    alerts: true,
    message: 'The platform restricts the number: it can only answer until the restriction ends.',
  },
  not_subscribed: {
    severity: 'failing',
    alerts: true,
    message: 'The platform sends no messages of the account, and subscribing again failed. Connect the account again.',
  },
  quality_low: {
    severity: 'failing',
    alerts: true,
    message: 'Its quality rating is low, so the platform may restrict it. Send fewer unwanted messages.',
  },
  account_flagged: {
    severity: 'warning',
    alerts: true,
    message: 'The platform flagged the number because its quality fell. Its limit will fall unless the quality rises.',
  },
  quality_medium: {
    severity: 'warning',
    alerts: true,
    message: 'Its quality rating is medium. Check which messages people block or report.',
  },
  permissions_missing: {
    severity: 'warning',
    alerts: true,
    message: 'The credential lacks permissions, so some calls are refused. Connect the account again and grant all.',
  },
  events_missing: {
    severity: 'warning',
    alerts: false,
    message:
      "The platform refuses some of the account's events. Get its approval for them, or remove them from the setting.",
  },
  name_declined: {
    severity: 'warning',
    alerts: true,
    message: 'The platform declined the display name. Choose another one there.',
  },
  credential_ending: {
    severity: 'warning',
    alerts: false,
    message: 'The credential ends soon and was not renewed. Connect the account again.',
  },
  check_failed: {
    severity: 'unknown',
    alerts: false,
    message: 'The platform could not be asked. The next check tries again.',
  },
} as const satisfies Readonly<Record<string, HealthReasonDefinition>>;

export type HealthReason = keyof typeof healthReasons;
export const healthReasonNames = Object.keys(healthReasons) as HealthReason[];

/** Why a check had no result. */
export const healthFailures = [
  'platform_unavailable',
  'platform_limited',
  'platform_refused',
  'credential_refused',
  'account_hidden',
  'credential_unreadable',
] as const;
export type HealthFailure = (typeof healthFailures)[number];

export interface CheckHealthInput {
  readonly channelId: string;
}

export interface HealthPage {
  readonly checkedCount: number;
  readonly failedCount: number;
  /** True if nothing more is due, or if the platform asks for patience. */
  readonly isDone: boolean;
  /** How long to wait before the next page, so that the calls stay below their rate. */
  readonly waitMs: number;
}

/** A check on request within this time of the last one returns the stored result. */
export const MIN_CHECK_INTERVAL_MS = 60_000;
