import { type Deployment, isSecure } from '../../openapi/people/cookies.ts';

interface OwnCookie {
  /** With its prefix, where it has one. */
  readonly name: string;
  readonly value: string;
  /** 0: the browser is to forget it. */
  readonly maxAgeSeconds: number;
}

/**
 * A `Set-Cookie` header of a cookie that no script can read. Written here because the framework's cookies refuse
 * `Secure` behind a proxy that ends TLS.
 */
export function setCookie({ name, value, maxAgeSeconds }: OwnCookie, deployment: Deployment): string {
  const secure = isSecure(deployment) ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
