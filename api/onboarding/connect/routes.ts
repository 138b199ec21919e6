import type Router from '@koa/router';
import { callback } from './callback.ts';
import { choose, showChoice } from './choose.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { register, showDone } from './done.ts';
import { linkNotFound } from './problem.ts';
import { type PageContext, servePage } from './serve.ts';
import { backToStart, begin, showStart } from './start.ts';
import { styleSheetOf } from './style.ts';
import type { ApiState } from '../../requests/state.ts';

/** The OpenAPI document omits these pages. */
export function mountConnectRoutes(router: Router<ApiState>, deps: ApiDeps): void {
  const page = (act: (ctx: PageContext, deps: ApiDeps) => Promise<void>) => servePage(deps, (ctx) => act(ctx, deps));

  router.get('/connect/style.css', (ctx) => {
    ctx.type = 'text/css; charset=utf-8';
    ctx.set('cache-control', 'public, max-age=3600');
    ctx.body = styleSheetOf(ctx.query.color);
  });
  router.get('/connect/callback', page(callback));
  router.get('/connect/choose', page(showChoice));
  router.post('/connect/choose', page(choose));
  router.get('/connect/done', page(showDone));
  router.post('/connect/register', page(register));
  router.get('/connect/:token', page(showStart));
  router.get('/connect/:token/begin', page(backToStart));
  router.post('/connect/:token/begin', page(begin));
  router.get(
    /^\/connect(?:\/.*)?$/,
    page(() => Promise.reject(linkNotFound())),
  );
}
