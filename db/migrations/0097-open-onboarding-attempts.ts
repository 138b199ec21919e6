import { concurrentIndex } from './concurrent-index.ts';

/** The attempts of a link that are not connected are counted when another one begins. */
export const openOnboardingAttempts = concurrentIndex({
  name: 'onboarding_attempts_unconnected',
  on: `onboarding_attempts (onboarding_link_id, expires_at) where status <> 'connected'`,
});
