export interface AlertDigestInput {
  readonly organizationId: string;
  /** Shortest time between two digests of an organization. */
  readonly intervalMs: number;
}

/** Further digests of an organization follow after this many times the gathering time. */
export const DIGEST_INTERVAL_FACTOR = 10;
/** Alerts that one section of an email lists. */
export const MAX_LISTED_ALERTS = 20;
/** An email that could not be sent for this long is given up. */
export const MAIL_LIFE_MS = 7 * 86_400_000;
/** Longer than the mailer's timeouts, 40 s in all: until then no other run sends the same email. */
export const MAIL_CLAIM_MS = 60_000;
/** Rules of one person in one organization. */
export const MAX_ALERT_RULES = 100;
