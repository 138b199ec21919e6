import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { ApiMeter } from '../../../metrics/api-metrics.ts';
import { onceClosed } from '../../../process/once-closed.ts';
import type { ApiState } from '../state.ts';

export function requestMetrics(meter: Pick<ApiMeter, 'requestServed'>): Middleware<ApiState> {
  return (ctx, next) => {
    const { req, res } = ctx;
    const route = (): string | undefined => {
      const matched: unknown = ctx['_matchedRoute'];
      return typeof matched === 'string' ? matched : undefined;
    };
    countServed({ meter, req, res, startedAtMs: performance.now(), route });
    return next();
  };
}

export interface ServedRequest {
  readonly meter: Pick<ApiMeter, 'requestServed'>;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly startedAtMs: number;
  /** Read at the end of the response. */
  readonly route: () => string | undefined;
}

/** Counts a request at the end of its response, or at once if the client has left. */
export function countServed({ meter, req, res, startedAtMs, route }: ServedRequest): void {
  const count = (): void =>
    meter.requestServed({
      method: req.method ?? '',
      route: route(),
      status: res.statusCode,
      seconds: (performance.now() - startedAtMs) / 1000,
    });
  if (res.closed) count();
  else onceClosed(res, count);
}
