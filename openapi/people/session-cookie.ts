import { cookieName, type Deployment, isSecure } from './cookies.ts';

/** The name of the cookie that holds a browser session's opaque token. */
export function sessionCookieName(deployment: Deployment): string {
  return cookieName('service_session', { secure: isSecure(deployment) });
}

/** How long somebody stays signed in; refreshing does not prolong it. */
export const SESSION_LIFETIME_SECONDS = 30 * 86_400;

/** Short, because an access token can be read by the page's scripts; its session is looked up all the same. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
