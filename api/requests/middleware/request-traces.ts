import type { Middleware } from 'koa';
import { onceClosed } from '../../../process/once-closed.ts';
import type { Traces } from '../../../process/traces/traces.ts';
import type { ApiState } from '../state.ts';

/** Probes and files are requested often and do nothing worth a trace. */
const UNTRACED = /^\/(?:healthz|readyz|assets\/)/;

/** Ignores the caller's `traceparent`: it would decide what is sampled, and choose the ids of this service's traces. */
export function requestTraces(traces: Traces): Middleware<ApiState> {
  return (ctx, next) => {
    if (UNTRACED.test(ctx.path)) return next();
    const attributes = {
      'http.request.method': ctx.method,
      'request.id': ctx.state.requestId,
      'request.caller_id': ctx.state.callerRequestId,
    };
    const span = traces.root(ctx.method, { kind: 'server', attributes });
    if (!span) return next();
    ctx.state.logFields['traceId'] = span.traceId;
    onceClosed(ctx.res, () => {
      const route: unknown = ctx['_matchedRoute'];
      const { logFields } = ctx.state;
      span.end({
        name: typeof route === 'string' ? `${ctx.method} ${route}` : ctx.method,
        attributes: { 'http.response.status_code': ctx.status, 'http.route': typeof route === 'string' ? route : null },
        error: ctx.status >= 500 || !ctx.res.writableFinished ? (logFields['code'] ?? 'incomplete') : null,
      });
    });
    return traces.within(span, next);
  };
}
