import { randomFillSync } from 'node:crypto';

const CALLERS_OWN = /^[A-Za-z0-9._-]{1,128}$/;
const RANDOM_BYTES = 12;
/** Filled for many ids, because a call costs the same for any size. */
const random = Buffer.alloc(RANDOM_BYTES * 512);
let next = random.length;

export function requestIdOf(own: string | readonly string[] | undefined): string {
  return typeof own === 'string' && CALLERS_OWN.test(own) ? own : freshRequestId();
}

function freshRequestId(): string {
  if (next === random.length) {
    randomFillSync(random);
    next = 0;
  }
  const id = random.toString('base64url', next, next + RANDOM_BYTES);
  next += RANDOM_BYTES;
  return `req_${id}`;
}
