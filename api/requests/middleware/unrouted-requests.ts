import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { MethodNotAllowed, RouteNotFound } from '../errors.ts';
import type { ApiContext, ApiState } from '../state.ts';

/** Answers what the routers left, with the methods that they have for the path. */
export function unroutedRequests(routers: readonly Router<ApiState>[]): Middleware<ApiState> {
  return (ctx) => {
    const layers = routers.flatMap((router) => router.match(ctx.path, ctx.method).path);
    const methods = new Set(layers.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new RouteNotFound();
    answerAllowed(ctx, methods);
  };
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

function answerAllowed(ctx: ApiContext, methods: ReadonlySet<string>): void {
  const allowed = [...methods, 'OPTIONS'];
  if (ctx.method !== 'OPTIONS') throw new MethodNotAllowed(allowed);
  ctx.status = 204;
  ctx.set('allow', allowed.join(', '));
}
