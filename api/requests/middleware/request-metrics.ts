import type { Middleware } from 'koa';
import type { ApiMeter } from '../../../metrics/api-metrics.ts';
import type { ApiState } from '../state.ts';

export function requestMetrics(meter: Pick<ApiMeter, 'requestServed'>): Middleware<ApiState> {
  return (ctx, next) => {
    const startedAtMs = performance.now();
    ctx.res.once('close', () => {
      const route: unknown = ctx['_matchedRoute'];
      meter.requestServed({
        method: ctx.method,
        route: typeof route === 'string' ? route : undefined,
        status: ctx.status,
        seconds: (performance.now() - startedAtMs) / 1000,
      });
    });
    return next();
  };
}
