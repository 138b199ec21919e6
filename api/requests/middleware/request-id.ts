import type { Middleware } from 'koa';
import { answeredRequestId, requestIdsOf } from '../../../process/request-id.ts';
import type { ApiState } from '../state.ts';

export const requestId: Middleware<ApiState> = (ctx, handle) => {
  const ids = requestIdsOf(ctx.req.headers['x-request-id']);
  const { requestId: id, callerRequestId } = ids;
  ctx.state.requestId = id;
  ctx.state.callerRequestId = callerRequestId;
  ctx.state.logFields = callerRequestId === null ? {} : { callerRequestId };
  ctx.set('x-request-id', answeredRequestId(ids));
  return handle();
};
