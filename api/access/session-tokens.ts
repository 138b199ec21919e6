import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_SECONDS } from '../../contract/sessions.ts';
import { newOpaqueToken, opaqueTokenHash } from '../../db/opaque-tokens.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * The tokens of a session outside of a browser. The access token is a JWT that names its session by the hash that the
 * session is found by. A refresh token is that name, a random part, and a tag over both: so an old one is told from an
 * invented one, and only the old one ends its session.
 */
type Issuer = Pick<ApiDeps, 'tokenSalt' | 'baseUrl'>;

const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';
const AUDIENCE = 'management-api';
/** Keeps this key apart from whatever else is derived from the installation's secret. */
const KEY_LABEL = 'session access token';
const KEY_BYTES = 32;

/** Who an access token names. */
export interface AccessClaims {
  readonly userPublicId: string;
  /** The hash that the session is found by. */
  readonly tokenHash: Buffer;
}

export async function signAccessToken(issuer: Issuer, { userPublicId, tokenHash }: AccessClaims): Promise<string> {
  return await new SignJWT({ sid: tokenHash.toString('base64url') })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(issuer.baseUrl)
    .setAudience(AUDIENCE)
    .setSubject(userPublicId)
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
    .sign(signingKey(issuer));
}

/** What a token of ours says; undefined for one that has ended or that we did not sign. */
export async function readAccessToken(issuer: Issuer, token: string): Promise<AccessClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, signingKey(issuer), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: issuer.baseUrl,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    });
    if (typeof payload.sub !== 'string' || typeof payload.sid !== 'string') return undefined;
    return { userPublicId: payload.sub, tokenHash: Buffer.from(payload.sid, 'base64url') };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** A refresh token and the hash that it is compared by. */
export interface RefreshToken {
  readonly token: string;
  readonly hash: Buffer;
}

export function newRefreshToken({ tokenSalt }: Issuer, tokenHash: Buffer): RefreshToken {
  const head = `${tokenHash.toString('base64url')}.${newOpaqueToken()}`;
  const token = `${head}.${opaqueTokenHash(tokenSalt, 'refresh-tag', head).toString('base64url')}`;
  return { token, hash: refreshHash(tokenSalt, token) };
}

/** The session that a refresh token of ours is of, whether it is the current one or an old one. */
export function readRefreshToken(
  { tokenSalt }: Issuer,
  token: string,
): { readonly tokenHash: Buffer; readonly hash: Buffer } | undefined {
  const [, sid = '', random = '', tag = ''] = REFRESH_TOKEN.exec(token) ?? [];
  const expected = opaqueTokenHash(tokenSalt, 'refresh-tag', `${sid}.${random}`);
  const given = Buffer.from(tag, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return { tokenHash: Buffer.from(sid, 'base64url'), hash: refreshHash(tokenSalt, token) };
}

const REFRESH_TOKEN = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/;

function refreshHash(tokenSalt: Uint8Array, token: string): Buffer {
  return opaqueTokenHash(tokenSalt, 'refresh', token);
}

function signingKey({ tokenSalt }: Issuer): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', tokenSalt, '', KEY_LABEL, KEY_BYTES));
}
