import { createHmac } from 'node:crypto';

/** The salt keeps a stolen table from being searched. */
export function hashKey(tokenSalt: Uint8Array, token: string): Buffer {
  return createHmac('sha256', tokenSalt).update(token).digest();
}
