import type { Middleware } from 'koa';
import { awaitSmallRest } from '../../../process/lingering-close.ts';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ErrorDetails } from '../../../openapi/error-schema.ts';
import type { Log } from '../../../process/log.ts';
import type { ApiError } from '../errors.ts';
import { BodyAborted } from '../read-bytes.ts';
import { isFault, refusalOf } from '../refusal.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { loggedPath } from './logged-path.ts';

/**
 * Turns whatever is thrown into the Error object: what nobody foresaw becomes INTERNAL, and a database that is away
 * SERVICE_UNAVAILABLE, both with their detail in the log only.
 */
export function errorResponses({ log }: { log: Log }): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = refusalOf(error);
      const { method, path, state } = ctx;
      const fields = { requestId: state.requestId, method, path: loggedPath(path) };
      if (isFault(error)) log.error('request.failed', { ...fields, error });
      else if (refusal instanceof BodyAborted) log.debug('request.aborted', fields);
      await awaitSmallRest(ctx.req);
      refuse(ctx, refusal);
    }
  };
}

function refuse(ctx: ApiContext, { code, statusCode, message, headers, details }: ApiError): void {
  ctx.status = statusCode;
  ctx.set({ ...headers });
  ctx.body = { statusCode, code, message, requestId: ctx.state.requestId, ...details } satisfies ErrorBody &
    ErrorDetails;
  ctx.state.logFields.code = code;
}
