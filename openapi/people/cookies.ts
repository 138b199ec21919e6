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
