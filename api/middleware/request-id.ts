import { randomFillSync } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiState } from '../state.ts';

const CALLERS_OWN = /^[A-Za-z0-9._-]{1,128}$/;
const RANDOM_BYTES = 12;
/** Drawn for many ids at once: a draw costs the same whatever its size. */
const random = Buffer.alloc(RANDOM_BYTES * 512);
let next = random.length;

/** Names the request: by the caller's own id where it has the right form. Every response carries it. */
export const requestId: Middleware<ApiState> = (ctx, handle) => {
  const own = ctx.get('x-request-id');
  const id = CALLERS_OWN.test(own) ? own : freshId();
  ctx.state.requestId = id;
  ctx.state.logFields = {};
  ctx.set('x-request-id', id);
  return handle();
};

function freshId(): string {
  if (next === random.length) {
    randomFillSync(random);
    next = 0;
  }
  const id = random.toString('base64url', next, next + RANDOM_BYTES);
  next += RANDOM_BYTES;
  return `req_${id}`;
}
