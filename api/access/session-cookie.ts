import { SESSION_LIFETIME_SECONDS, sessionCookieName } from '../../openapi/people/session-cookie.ts';
import { isOpaqueToken } from '../../db/core/opaque-tokens.ts';
import type { ApiDeps } from '../requests/deps.ts';
import type { ApiContext } from '../requests/state.ts';
import { setCookie } from './set-cookie.ts';

type Deployed = Pick<ApiDeps, 'deployment'>;

/** The token in the request's cookie; undefined where there is none of its form. */
export function readSessionCookie(ctx: ApiContext, { deployment }: Deployed): string | undefined {
  const token = ctx.cookies.get(sessionCookieName(deployment));
  return isOpaqueToken(token) ? token : undefined;
}

/** A `Set-Cookie` header that keeps the token where no script can read it. */
export function sessionCookie({ deployment }: Deployed, token: string): string {
  const name = sessionCookieName(deployment);
  return setCookie({ name, value: token, maxAgeSeconds: SESSION_LIFETIME_SECONDS }, deployment);
}

/** A `Set-Cookie` header that makes the browser forget. */
export function endedSessionCookie({ deployment }: Deployed): string {
  return setCookie({ name: sessionCookieName(deployment), value: '', maxAgeSeconds: 0 }, deployment);
}
