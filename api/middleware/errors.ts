import type { Middleware } from 'koa';
import type { ErrorBody } from '../../contract/schemas/error.ts';
import type { Log } from '../../log.ts';
import { ApiError, Unforeseen } from '../errors.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { loggedPath } from './logged-path.ts';

/** Turns whatever is thrown into the Error object; what nobody foresaw becomes INTERNAL, with its detail in the log only. */
export function errorResponses({ log }: { log: Log }): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ApiError) return refuse(ctx, error);
      log.error('request.failed', {
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: loggedPath(ctx.path),
        error,
      });
      refuse(ctx, new Unforeseen(error));
    }
  };
}

function refuse(ctx: ApiContext, { code, statusCode, message, headers }: ApiError): void {
  ctx.status = statusCode;
  ctx.set({ ...headers });
  ctx.body = { statusCode, code, message, requestId: ctx.state.requestId } satisfies ErrorBody;
  ctx.state.logFields.code = code;
}
