import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiState } from '../state.ts';

const CALLERS_OWN = /^[A-Za-z0-9._-]{1,128}$/;
const RANDOM_BYTES = 12;

/** Names the request: by the caller's own id where it has the right form. Every response carries it. */
export const requestId: Middleware<ApiState> = (ctx, next) => {
  const own = ctx.get('x-request-id');
  const id = CALLERS_OWN.test(own) ? own : `req_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  ctx.state.requestId = id;
  ctx.state.logFields = {};
  ctx.set('x-request-id', id);
  return next();
};
