import { createHmac } from 'node:crypto';

/** The salt prevents precomputed searches of a stolen table. */
export function hashKey(tokenSalt: Uint8Array, token: string): Buffer {
  return createHmac('sha256', tokenSalt).update(token).digest();
}
