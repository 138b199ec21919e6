import type { Middleware } from 'koa';
import { requestIdOf } from '../../../process/request-id.ts';
import type { ApiState } from '../state.ts';

export const requestId: Middleware<ApiState> = (ctx, handle) => {
  const id = requestIdOf(ctx.req.headers['x-request-id']);
  ctx.state.requestId = id;
  ctx.state.logFields = {};
  ctx.set('x-request-id', id);
  return handle();
};
