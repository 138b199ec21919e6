import type { Middleware } from 'koa';
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import type { ErrorBody } from '../../contract/schemas/error.ts';
import type { Log } from '../../log.ts';
import { ApiError } from '../errors.ts';
import type { ApiContext, ApiState } from '../state.ts';

/** Turns whatever is thrown into the Error object; what nobody foresaw becomes INTERNAL, with its detail in the log only. */
export function errorResponses({ log }: { log: Log }): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ApiError) return refuse(ctx, error.code, error.message, error.headers);
      log.error('request.failed', { requestId: ctx.state.requestId, method: ctx.method, path: ctx.path, error });
      refuse(ctx, 'INTERNAL', 'Something went wrong on our side. Quote the request id to support.', {});
    }
  };
}

function refuse(ctx: ApiContext, code: ErrorCode, message: string, headers: Readonly<Record<string, string>>): void {
  const statusCode = errorCodes[code];
  ctx.status = statusCode;
  ctx.set({ ...headers });
  ctx.body = { statusCode, code, message, requestId: ctx.state.requestId } satisfies ErrorBody;
  ctx.state.logFields.code = code;
}
