export function sessionCookieName(deployment: Deployment): string {
  return cookieName('service_session', { secure: isSecure(deployment) });
}

/** Refreshing does not extend it. */
export const SESSION_LIFETIME_SECONDS = 30 * 86_400;

/** Short, because scripts can read the token. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export type Deployment = 'development' | 'production';

export function isSecure(deployment: Deployment): boolean {
  return deployment !== 'development';
}

/**
 * Browsers accept a `__Host-` cookie only from this host and over TLS. They require `Secure`, `Path=/` and no `Domain`.
 */
export function cookieName(name: string, { secure }: { secure: boolean }): string {
  return secure ? `__Host-${name}` : name;
}
