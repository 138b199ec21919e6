import { createHmac, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export function newOpaqueToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isOpaqueToken(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The salt prevents precomputed searches of a stolen table; the purpose separates kinds of tokens. */
export function opaqueTokenHash(salt: Uint8Array, purpose: string, token: string): Buffer {
  return createHmac('sha256', salt).update(`${purpose}/${token}`).digest();
}

/** The salt prevents precomputed searches of a stolen table. */
export function hashKey(tokenSalt: Uint8Array, token: string): Buffer {
  return createHmac('sha256', tokenSalt).update(token).digest();
}
