import type { IncomingMessage, ServerResponse } from 'node:http';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import { helpLink } from '../../contract/guides.ts';
import { idPrefixes } from '../../contract/ids.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import { clientAddressOf } from '../../process/client-address.ts';
import { errorBody } from '../../process/http-errors.ts';
import { awaitSmallRest } from '../../process/lingering-close.ts';
import type { Log, LogFields } from '../../process/log.ts';
import { onceClosed } from '../../process/once-closed.ts';
import { answeredRequestId, requestIdsOf } from '../../process/request-id.ts';
import type { Traces } from '../../process/traces/traces.ts';
import { type HttpError, MethodNotAllowed, RouteNotFound } from './errors.ts';
import { BodyAborted } from './read-bytes.ts';
import type { ApiContext, ApiState } from './state.ts';
import { isUnexpected, toHttpError } from './to-http-error.ts';

/** What every request passes, in the order of `api/app.ts`. */

/** Sets `ctx.ip` as the gateway and the address of the platform's webhooks do. */
export function clientAddress({ trustProxy }: { readonly trustProxy: boolean }): Middleware<ApiState> {
  return (ctx, next) => {
    ctx.request.ip = clientAddressOf(ctx.req, trustProxy);
    return next();
  };
}

export function requestMetrics(meter: Pick<ApiMeter, 'requestServed'>): Middleware<ApiState> {
  return (ctx, next) => {
    countServed({ meter, req: ctx.req, res: ctx.res, route: () => matchedRoute(ctx) });
    return next();
  };
}

export interface ServedRequest {
  readonly meter: Pick<ApiMeter, 'requestServed'>;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Read at the end of the response. */
  readonly route: () => string | undefined;
}

/** Counts a request at the end of its response, or when its client leaves. */
export function countServed({ meter, req, res, route }: ServedRequest): void {
  const startedAtMs = performance.now();
  onceClosed(res, () => {
    const seconds = (performance.now() - startedAtMs) / 1000;
    meter.requestServed({ method: req.method ?? '', route: route(), status: res.statusCode, seconds });
  });
}

export const requestId: Middleware<ApiState> = (ctx, next) => {
  const ids = requestIdsOf(ctx.req.headers['x-request-id']);
  const { callerRequestId } = ids;
  ctx.state.requestId = ids.requestId;
  ctx.state.callerRequestId = callerRequestId;
  ctx.state.logFields = callerRequestId === null ? {} : { callerRequestId };
  ctx.set('x-request-id', answeredRequestId(ids));
  return next();
};

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
    const { logFields } = ctx.state;
    logFields['traceId'] = span.traceId;
    onceClosed(ctx.res, () => {
      const route = matchedRoute(ctx);
      span.end({
        name: route === undefined ? ctx.method : `${ctx.method} ${route}`,
        attributes: { 'http.response.status_code': ctx.status, 'http.route': route },
        error: ctx.status >= 500 || !ctx.res.writableFinished ? (logFields['code'] ?? 'incomplete') : null,
      });
    });
    return traces.within(span, next);
  };
}

/** Omits the query, which may contain secrets. */
export function requestLog({ log, now }: { log: Log; now: () => number }): Middleware<ApiState> {
  return (ctx, next) => {
    const startedAtMs = now();
    onceClosed(ctx.res, () => {
      log.info('request.served', {
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: loggedPath(ctx.path, matchedRoute(ctx)),
        status: ctx.status,
        durationMs: Math.round((now() - startedAtMs) * 10) / 10,
        completed: ctx.res.writableFinished,
        ...ctx.state.logFields,
      });
    });
    return next();
  };
}

export function errorResponses({ log, baseUrl }: { log: Log; baseUrl: string }): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const { method, state } = ctx;
      const path = loggedPath(ctx.path, matchedRoute(ctx));
      const error = logRefusal(log, thrown, { requestId: state.requestId, method, path });
      await awaitSmallRest(ctx.req);
      ctx.append('link', helpLink(baseUrl, error.code));
      ctx.status = error.statusCode;
      ctx.set({ ...error.headers });
      ctx.body = errorBody(error, answeredRequestId(state));
      state.logFields.code = error.code;
    }
  };
}

/** Returns what the client gets. */
export function logRefusal(log: Log, thrown: unknown, fields: LogFields): HttpError {
  const error = toHttpError(thrown);
  if (isUnexpected(thrown)) log.error('request.failed', { ...fields, error: thrown });
  else if (error instanceof BodyAborted) log.debug('request.aborted', fields);
  return error;
}

/** Pages set their own, wider policy. */
export function securityHeaders(): Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
  });
}

/**
 * Keeps a path without parameters from the routes whose parameter would match it: `DELETE /agent/credentials/{ac}` is
 * not `DELETE /agent/credentials/eligible-scopes`.
 */
export function exactPaths(router: Router<ApiState>): Middleware<ApiState> {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { path, methods } of router.stack) {
    if (typeof path !== 'string' || /[:*(){}]/.test(path)) continue;
    methodsByPath.set(path, new Set([...(methodsByPath.get(path) ?? []), ...methods]));
  }
  return async (ctx, next) => {
    const methods = methodsByPath.get(ctx.path);
    if (methods === undefined || methods.has(ctx.method)) return await next();
    answerAllowed(ctx, methods);
  };
}

/** Answers what the router left, with the methods that it has for the path. */
export function unroutedRequests(router: Router<ApiState>): Middleware<ApiState> {
  return (ctx) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new RouteNotFound();
    answerAllowed(ctx, methods);
  };
}

function answerAllowed(ctx: ApiContext, methods: ReadonlySet<string>): void {
  const allowed = [...methods, 'OPTIONS'];
  if (ctx.method !== 'OPTIONS') throw new MethodNotAllowed(allowed);
  ctx.status = 204;
  ctx.set('allow', allowed.join(', '));
}

function matchedRoute(ctx: ApiContext): string | undefined {
  const route: unknown = ctx['_matchedRoute'];
  return typeof route === 'string' ? route : undefined;
}

const OWN_ID = new RegExp(`^(?:${Object.values(idPrefixes).join('|')})[A-Za-z0-9]{8}$`);

/**
 * Returns the route's pattern with the ids of this service filled in. Tokens of links and ids of the platform, which encode
 * phone numbers, do not appear, nor do paths that match no route.
 */
export function loggedPath(path: string, route: string | undefined): string {
  if (route === undefined) return '{unknown}';
  const given = path.split('/');
  return route
    .split('/')
    .map((segment, place) => (segment.startsWith(':') ? filled(segment.slice(1), given[place]) : segment))
    .join('/');
}

function filled(name: string, value: string | undefined): string {
  return value !== undefined && OWN_ID.test(value) ? value : `{${name}}`;
}
