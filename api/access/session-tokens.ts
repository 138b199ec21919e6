import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_SECONDS } from '../../openapi/people/cookies.ts';
import { newOpaqueToken, opaqueTokenHash } from '../../db/core/opaque-tokens.ts';
import type { StoredRefreshToken } from '../../db/people/sessions.ts';
import { keyOfTag } from '../../db/core/signing-keys.ts';
import type { ApiDeps } from '../requests/deps.ts';

/**
 * The access token is a JWT. A refresh token is the session's token hash, a random part and a tag over both. The tag
 * distinguishes an old token, which ends its session, from a forged one.
 */
type Issuer = Pick<ApiDeps, 'tokenSalt' | 'signingRing' | 'baseUrl'>;

const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';
const AUDIENCE = 'management-api';

export interface AccessClaims {
  readonly userPublicId: string;
  readonly tokenHash: Buffer;
}

export async function signAccessToken(issuer: Issuer, { userPublicId, tokenHash }: AccessClaims): Promise<string> {
  const { keyId, bytes } = issuer.signingRing.active('access-token');
  return await new SignJWT({ sid: tokenHash.toString('base64url') })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keyId })
    .setIssuer(issuer.baseUrl)
    .setAudience(AUDIENCE)
    .setSubject(userPublicId)
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
    .sign(bytes);
}

export async function readAccessToken(issuer: Issuer, token: string): Promise<AccessClaims | undefined> {
  if (!isStrictJwt(token)) return undefined;
  try {
    const { payload } = await jwtVerify(token, (header) => verificationKey(issuer, header), {
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

function verificationKey({ signingRing }: Issuer, { kid }: JWTHeaderParameters): Uint8Array {
  const key = kid === undefined ? undefined : signingRing.find('access-token', kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key.bytes;
}

/** Accepts only the canonical spelling: decoders ignore padding and unused bits, so block lists would miss others. */
export function isStrictJwt(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

export type RefreshToken = StoredRefreshToken & { readonly token: string };

export function newRefreshToken({ tokenSalt, signingRing }: Issuer, tokenHash: Buffer): RefreshToken {
  const head = `${tokenHash.toString('base64url')}.${newOpaqueToken()}`;
  const { keyId, bytes } = signingRing.active('refresh-token');
  const token = `${head}.${refreshTag(bytes, head)}`;
  return { token, hash: refreshHash(tokenSalt, token), keyId };
}

export function readRefreshToken(
  { tokenSalt, signingRing }: Issuer,
  token: string,
): { readonly tokenHash: Buffer; readonly hash: Buffer } | undefined {
  const [, sid = '', random = '', tag = ''] = REFRESH_TOKEN.exec(token) ?? [];
  const keys = signingRing.all('refresh-token');
  if (!keyOfTag(keys, tag, (key) => refreshTag(key, `${sid}.${random}`))) return undefined;
  return { tokenHash: Buffer.from(sid, 'base64url'), hash: refreshHash(tokenSalt, token) };
}

const REFRESH_TOKEN = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/;

function refreshTag(key: Uint8Array, head: string): string {
  return opaqueTokenHash(key, 'refresh-tag', head).toString('base64url');
}

function refreshHash(tokenSalt: Uint8Array, token: string): Buffer {
  return opaqueTokenHash(tokenSalt, 'refresh', token);
}
