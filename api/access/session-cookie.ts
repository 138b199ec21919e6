import { SESSION_LIFETIME_SECONDS, sessionCookieName } from '../../openapi/people/session-cookie.ts';
import { isOpaqueToken } from '../../db/core/opaque-tokens.ts';
import type { ApiDeps } from '../requests/deps.ts';
import type { ApiContext } from '../requests/state.ts';
import { setCookie } from './set-cookie.ts';

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
