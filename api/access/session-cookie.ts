import { SESSION_LIFETIME_SECONDS, sessionCookieName } from '../../openapi/people/cookies.ts';
import { isOpaqueToken } from '../../db/core/opaque-tokens.ts';
import type { ApiDeps } from '../requests/deps.ts';
import type { ApiContext } from '../requests/state.ts';
import { type Deployment, isSecure } from '../../openapi/people/cookies.ts';

type Deployed = Pick<ApiDeps, 'deployment'>;

export function readSessionCookie(ctx: ApiContext, { deployment }: Deployed): string | undefined {
  const token = ctx.cookies.get(sessionCookieName(deployment));
  return isOpaqueToken(token) ? token : undefined;
}

export function sessionCookie({ deployment }: Deployed, token: string): string {
  const name = sessionCookieName(deployment);
  return setCookie({ name, value: token, maxAgeSeconds: SESSION_LIFETIME_SECONDS }, deployment);
}

export function endedSessionCookie({ deployment }: Deployed): string {
  return setCookie({ name: sessionCookieName(deployment), value: '', maxAgeSeconds: 0 }, deployment);
}

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
