import { type Deployment, isSecure } from '../../openapi/people/cookies.ts';

interface OwnCookie {
  readonly name: string;
  readonly value: string;
  /** 0 deletes the cookie. */
  readonly maxAgeSeconds: number;
}

/** Koa's cookies refuse `Secure` behind a proxy that terminates TLS. */
export function setCookie({ name, value, maxAgeSeconds }: OwnCookie, deployment: Deployment): string {
  const secure = isSecure(deployment) ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
