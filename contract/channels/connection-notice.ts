const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after failed attempts; about a day in all. */
export const noticeWaitsMs: readonly number[] = [
  ...[0.5, 2, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 8].map((hours) => hours * HOUR_MS),
];

/** Stable: owners of links match on them. */
export const onboardingFailures = [
  'permission_refused',
  'no_account',
  'already_connected',
  'platform_refused',
  'platform_unavailable',
  'link_expired',
  'link_used',
] as const;
export type OnboardingFailure = (typeof onboardingFailures)[number];

export type NoticeResult = 'sent' | 'retrying' | 'exhausted';
