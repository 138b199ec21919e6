import { createHmac } from 'node:crypto';

/** How an API key is looked up. Keyed, so that a stolen table can't be searched with keys guessed or found elsewhere. */
export function hashKey(tokenSalt: Uint8Array, token: string): Buffer {
  return createHmac('sha256', tokenSalt).update(token).digest();
}
