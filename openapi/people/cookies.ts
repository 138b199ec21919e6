export type Deployment = 'development' | 'production';

/** Whether cookies go over TLS only. */
export function isSecure(deployment: Deployment): boolean {
  return deployment !== 'development';
}

/**
 * The name of one of our cookies. Where it goes over TLS only, the prefix has browsers refuse it from any other host, a
 * sibling under the same domain too, and over plain HTTP: nobody else can put one there that we would take for ours. A
 * browser takes such a name only with `Secure`, `Path=/` and no domain.
 */
export function cookieName(name: string, { secure }: { secure: boolean }): string {
  return secure ? `__Host-${name}` : name;
}
