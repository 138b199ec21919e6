import { SESSION_COOKIE, SESSION_LIFETIME_SECONDS } from '../../contract/sessions.ts';
import { isOpaqueToken } from '../../db/opaque-tokens.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiContext } from '../state.ts';

type Deployment = Pick<ApiDeps, 'deployment'>;

/** The token in the request's cookie; undefined where there is none of its form. */
export function readSessionCookie(ctx: ApiContext): string | undefined {
  const token = ctx.cookies.get(SESSION_COOKIE);
  return isOpaqueToken(token) ? token : undefined;
}

/** A `Set-Cookie` header that keeps the token where no script can read it. */
export function sessionCookie({ deployment }: Deployment, token: string): string {
  return cookie({ deployment }, token, SESSION_LIFETIME_SECONDS);
}

/** A `Set-Cookie` header that makes the browser forget. */
export function endedSessionCookie(deps: Deployment): string {
  return cookie(deps, '', 0);
}

/** Written here because the framework's cookies refuse `Secure` behind a proxy that ends TLS. */
function cookie({ deployment }: Deployment, token: string, maxAgeSeconds: number): string {
  const secure = deployment === 'development' ? '' : '; Secure';
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
