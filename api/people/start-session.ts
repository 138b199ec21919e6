import type { Knex } from 'knex';
import { ACCESS_TOKEN_SECONDS, SESSION_LIFETIME_SECONDS } from '../../openapi/people/cookies.ts';
import { newOpaqueToken, opaqueTokenHash } from '../../db/core/opaque-tokens.ts';
import { endSession, findLiveSession, insertSession, rotateRefreshToken } from '../../db/people/sessions.ts';
import type { User } from '../../db/people/users.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { newRefreshToken, readRefreshToken, signAccessToken } from '../access/session-tokens.ts';

const MAX_USER_AGENT_LENGTH = 300;

type Issuer = Pick<ApiDeps, 'tokenSalt' | 'signingRing' | 'baseUrl'>;

export interface SessionTokens {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly refreshToken: string;
}

export interface StartedSession {
  readonly cookieToken: string;
  readonly tokens: SessionTokens;
}

/** Runs in the transaction that verified the user. */
export async function startSession(
  trx: Knex,
  deps: Issuer,
  { user, userAgent }: { user: User; userAgent: string },
): Promise<StartedSession> {
  const cookieToken = newOpaqueToken();
  const tokenHash = opaqueTokenHash(deps.tokenSalt, 'session', cookieToken);
  const refresh = newRefreshToken(deps, tokenHash);
  await insertSession(trx, {
    userId: user.id,
    tokenHash,
    refresh,
    userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH) || null,
    expiresAt: new Date(Date.now() + SESSION_LIFETIME_SECONDS * 1000),
  });
  return { cookieToken, tokens: await tokensOf(deps, { userPublicId: user.publicId, tokenHash }, refresh.token) };
}

export type Refreshing =
  | { readonly state: 'refreshed'; readonly tokens: SessionTokens }
  | { readonly state: 'reused'; readonly userId: number; readonly userPublicId: string }
  | { readonly state: 'unknown' };

/** An old token ends its session, because a thief may hold the newer one. */
export async function refreshSession(trx: Knex, deps: Issuer, refreshToken: string): Promise<Refreshing> {
  const shown = readRefreshToken(deps, refreshToken);
  const session = shown && (await findLiveSession(trx, shown.tokenHash));
  if (!session) return { state: 'unknown' };
  const { id, userId, userPublicId, tokenHash } = session;
  const next = newRefreshToken(deps, tokenHash);
  if (await rotateRefreshToken(trx, { id, from: shown.hash, to: next })) {
    return { state: 'refreshed', tokens: await tokensOf(deps, { userPublicId, tokenHash }, next.token) };
  }
  return (await endSession(trx, id)) ? { state: 'reused', userId, userPublicId } : { state: 'unknown' };
}

async function tokensOf(
  deps: Issuer,
  claims: { userPublicId: string; tokenHash: Buffer },
  refreshToken: string,
): Promise<SessionTokens> {
  const accessToken = await signAccessToken(deps, claims);
  return { accessToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_SECONDS, refreshToken };
}
