import { createHmac } from 'node:crypto';

/** The salt prevents precomputed searches of a stolen table. */
export function hashKey(tokenSalt: Uint8Array, token: string): Buffer {
  return createHmac('sha256', tokenSalt).update(token).digest();
}

/**
 * Of a key that is limited to workspaces or addresses. Releases without these limits don't find it, so that a rollback
 * refuses the key instead of ignoring its limits.
 */
export function hashLimitedKey(salt: Uint8Array, key: string): Buffer {
  return hashKey(salt, `limited/${key}`);
}
