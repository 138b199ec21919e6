import type { Middleware } from 'koa';
import type { Log } from '../../../process/log.ts';
import { onceClosed } from '../../../process/once-closed.ts';
import type { ApiState } from '../state.ts';
import { loggedPath } from './logged-path.ts';

/** Omits the query, which may contain secrets. */
export function requestLog({ log, now }: { log: Log; now: () => number }): Middleware<ApiState> {
  return (ctx, next) => {
    const startedAtMs = now();
    onceClosed(ctx.res, () => {
      log.info('request.served', {
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: loggedPath({ path: ctx.path, route: ctx['_matchedRoute'] }),
        status: ctx.status,
        durationMs: Math.round((now() - startedAtMs) * 10) / 10,
        completed: ctx.res.writableFinished,
        ...ctx.state.logFields,
      });
    });
    return next();
  };
}
