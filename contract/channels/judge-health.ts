import {
  type HealthReading,
  type HealthReason,
  healthReasonNames,
  healthReasons,
  type HealthStatus,
} from './health.ts';

export interface HealthLimits {
  readonly now: Date;
  /** How long before its end a credential is a reason. */
  readonly credentialEndsMs: number;
}

/** Returns the reasons of a reading, the most serious first. */
export function judgeHealth(reading: HealthReading, { now, credentialEndsMs }: HealthLimits): readonly HealthReason[] {
  const { quality, accountStatus, nameStatus, permissions, subscription, credentialExpiresAt: endsAt } = reading;
  const found: Partial<Record<HealthReason, boolean>> = {
    account_banned: accountStatus === 'banned',
    account_not_registered: accountStatus === 'not_registered',
    account_offline: accountStatus === 'offline',
    account_restricted: accountStatus === 'restricted',
    account_flagged: accountStatus === 'flagged',
    not_subscribed: subscription?.isSubscribed === false,
    events_missing: subscription?.isSubscribed === true && subscription.missing.length > 0,
    quality_low: quality === 'low',
    quality_medium: quality === 'medium',
    permissions_missing: permissions !== null && permissions.missing.length > 0,
    name_declined: nameStatus === 'declined',
    credential_ending: endsAt !== null && endsAt.getTime() - now.getTime() < credentialEndsMs,
  };
  return healthReasonNames.filter((reason) => found[reason]);
}

export function statusOfReasons(reasons: readonly HealthReason[]): HealthStatus {
  const severities = new Set(reasons.map((reason) => healthReasons[reason].severity));
  return (['failing', 'unknown', 'warning'] as const).find((severity) => severities.has(severity)) ?? 'healthy';
}

/** The codes for the alert, comma-separated. Null if nothing needs a person. */
export function alertReasonOf(reasons: readonly HealthReason[]): string | null {
  return reasons.filter((reason) => healthReasons[reason].alerts).join(',') || null;
}

/** Returns the messages of stored codes. */
export function describeReasons(codes: string): string {
  const known = codes.split(',').filter((code): code is HealthReason => Object.hasOwn(healthReasons, code));
  return known.map((reason) => healthReasons[reason].message).join(' ');
}
