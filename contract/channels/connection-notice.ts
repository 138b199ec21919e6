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

export type NoticeResult = 'sent' | 'retrying' | 'exhausted';
