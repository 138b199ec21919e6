export type Deployment = 'development' | 'production';

/** Whether cookies are sent over TLS only. */
export function isSecure(deployment: Deployment): boolean {
  return deployment !== 'development';
}

/**
 * Browsers reject a `__Host-` cookie from any other host, including siblings of the domain, and over plain HTTP. They
 * require `Secure`, `Path=/` and no `Domain`.
 */
export function cookieName(name: string, { secure }: { secure: boolean }): string {
  return secure ? `__Host-${name}` : name;
}
