import type { Middleware } from 'koa';
import type { Log } from '../../../process/log.ts';
import type { ApiState } from '../state.ts';
import { loggedPath } from './logged-path.ts';

/** One wide line a request, when its answer is complete or the client has gone. The query is left out: it may hold anything. */
export function requestLog({ log, now }: { log: Log; now: () => number }): Middleware<ApiState> {
  return (ctx, next) => {
    const startedAtMs = now();
    ctx.res.once('close', () => {
      log.info('request.served', {
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: loggedPath(ctx.path),
        status: ctx.status,
        durationMs: Math.round((now() - startedAtMs) * 10) / 10,
        completed: ctx.res.writableFinished,
        ...ctx.state.logFields,
      });
    });
    return next();
  };
}
