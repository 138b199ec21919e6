import { createHmac } from 'node:crypto';

/** Returns the hash to look up an API key by. It is keyed, so a stolen table can't be searched for known keys. */
export function hashKey(tokenSalt: Uint8Array, token: string): Buffer {
  return createHmac('sha256', tokenSalt).update(token).digest();
}
