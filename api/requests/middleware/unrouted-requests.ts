import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { MethodNotAllowed, RouteNotFound } from '../errors.ts';
import type { ApiState } from '../state.ts';

export function unroutedRequests(routers: readonly Router<ApiState>[]): Middleware<ApiState> {
  return (ctx) => {
    const layers = routers.flatMap((router) => router.match(ctx.path, ctx.method).path);
    const methods = new Set(layers.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new RouteNotFound();
    const allowed = [...methods, 'OPTIONS'];
    if (ctx.method !== 'OPTIONS') throw new MethodNotAllowed(allowed);
    ctx.status = 204;
    ctx.set('allow', allowed.join(', '));
  };
}
