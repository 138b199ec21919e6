import { cookieName, type Deployment, isSecure } from './cookies.ts';

/** Returns the name of the cookie with a browser session's opaque token. */
export function sessionCookieName(deployment: Deployment): string {
  return cookieName('service_session', { secure: isSecure(deployment) });
}

/** Refreshing does not extend it. */
export const SESSION_LIFETIME_SECONDS = 30 * 86_400;

/** Short, because scripts of the page can read the access token. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
