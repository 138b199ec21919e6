import type Router from '@koa/router';
import { healthRoutes as routes, type ReadinessBody } from '../../openapi/upkeep/health-routes.ts';
import { readSchemaState } from '../../db/upkeep/schema-state.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { routerPath } from '../routing/mount-route.ts';
import type { ApiState } from '../requests/state.ts';

export function mountHealthRoutes(
  router: Router<ApiState>,
  { db, namespaceState, workersState, isStopping }: ApiDeps,
): void {
  router.get(routerPath(routes.getHealth.path), (ctx) => {
    ctx.set('cache-control', 'no-store');
    ctx.body = { status: 'ok' };
  });

  router.get(routerPath(routes.getReadiness.path), async (ctx) => {
    const [database, temporal, workers] = await Promise.all([readSchemaState(db), namespaceState(), workersState()]);
    const ready = database === 'ok' && isStopping?.() !== true;
    ctx.set('cache-control', 'no-store');
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? 'ready' : 'not_ready', database, temporal, workers } satisfies ReadinessBody;
  });
}
