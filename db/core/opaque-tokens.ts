import { createHmac, randomBytes } from 'node:crypto';

/** As many bytes as the digest that finds them again. */
const TOKEN_BYTES = 32;

/** A token that nobody can guess: 43 characters of base64url. */
export function newOpaqueToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isOpaqueToken(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * What a token is looked up by. Keyed with the installation's salt, so that a stolen table can't be searched; the
 * purpose keeps one kind of token from being taken for another.
 */
export function opaqueTokenHash(salt: Uint8Array, purpose: string, token: string): Buffer {
  return createHmac('sha256', salt).update(`${purpose}/${token}`).digest();
}
