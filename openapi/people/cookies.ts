export type Deployment = 'development' | 'production';

/** Whether cookies are sent over TLS only. */
export function isSecure(deployment: Deployment): boolean {
  return deployment !== 'development';
}

/**
 * Returns the name of a cookie. With the prefix `__Host-`, browsers reject the cookie from any other host, including
 * siblings of the domain, and over plain HTTP. They require `Secure`, `Path=/` and no `Domain` for it.
 */
export function cookieName(name: string, { secure }: { secure: boolean }): string {
  return secure ? `__Host-${name}` : name;
}
