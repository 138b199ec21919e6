/** Stable: owners of links match on them. */
export const onboardingFailures = [
  'permission_refused',
  'no_account',
  'already_connected',
  'platform_refused',
  'platform_unavailable',
  'link_expired',
  'link_used',
  'limit_reached',
] as const;
export type OnboardingFailure = (typeof onboardingFailures)[number];

/** Why `no_account` happened, as far as the platform shows it. Stable, too. */
export const noAccountCauses = [
  'permission_missing',
  'business_permission_missing',
  'role_missing',
  'photo_account_missing',
  'number_missing',
  'access_refused',
  'not_selected',
] as const;
export type NoAccountCause = (typeof noAccountCauses)[number];
