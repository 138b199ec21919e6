import { createHmac, randomBytes } from 'node:crypto';

/** The length of the hash. */
const TOKEN_BYTES = 32;

/** Returns a random token of 43 base64url characters. */
export function newOpaqueToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isOpaqueToken(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * Returns the hash to look up a token by. It is keyed with the installation's salt, so a stolen table can't be
 * searched. The purpose keeps one kind of token from being accepted as another.
 */
export function opaqueTokenHash(salt: Uint8Array, purpose: string, token: string): Buffer {
  return createHmac('sha256', salt).update(`${purpose}/${token}`).digest();
}
