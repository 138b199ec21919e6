import type { Middleware } from 'koa';
import { answeredRequestId } from '../../../process/request-id.ts';
import { helpLink } from '../../../contract/guides.ts';
import { errorBody } from '../../../process/http-errors.ts';
import { awaitSmallRest } from '../../../process/lingering-close.ts';
import type { Log } from '../../../process/log.ts';
import type { HttpError } from '../errors.ts';
import { BodyAborted } from '../read-bytes.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { isUnexpected, toHttpError } from '../to-http-error.ts';
import { loggedPath } from './logged-path.ts';

export function errorResponses({ log, baseUrl }: { log: Log; baseUrl: string }): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toHttpError(thrown);
      const { method, path, state } = ctx;
      const fields = { requestId: state.requestId, method, path: loggedPath({ path, route: ctx['_matchedRoute'] }) };
      if (isUnexpected(thrown)) log.error('request.failed', { ...fields, error: thrown });
      else if (error instanceof BodyAborted) log.debug('request.aborted', fields);
      await awaitSmallRest(ctx.req);
      ctx.append('link', helpLink(baseUrl, error.code));
      respond(ctx, error);
    }
  };
}

function respond(ctx: ApiContext, error: HttpError): void {
  ctx.status = error.statusCode;
  ctx.set({ ...error.headers });
  ctx.body = errorBody(error, answeredRequestId(ctx.state));
  ctx.state.logFields.code = error.code;
}
