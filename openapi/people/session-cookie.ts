import { cookieName, type Deployment, isSecure } from './cookies.ts';

export function sessionCookieName(deployment: Deployment): string {
  return cookieName('service_session', { secure: isSecure(deployment) });
}

/** Refreshing does not extend it. */
export const SESSION_LIFETIME_SECONDS = 30 * 86_400;

/** Short, because scripts can read the token. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
