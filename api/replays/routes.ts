import { replayRoutes as routes } from '../../openapi/replays/routes.ts';
import { countReplayed, listReplays, type ReplayRecord } from '../../db/replays/replays.ts';
import { auditContext } from '../access/audit-context.ts';
import { requireReplay, requireReplayScope } from './replay-scope.ts';
import { createReplay, moveReplay } from './create-replay.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import type { SlowReadRequest } from '../requests/slow-reads.ts';
import { readNamedPage } from '../routing/page.ts';
import { presentReplay } from './present.ts';

export function mountReplayRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountRoute(mount, routes.createReplay, async (request) => {
    const { body: input, idempotencyKey } = request;
    const place = await requireReplayScope(db, request, input.scope);
    const audit = { ...auditContext(request), organizationId: place.organizationId, workspaceId: place.workspaceId };
    return await createReplay(deps, { place, input, idempotencyKey, audit, caller: request });
  });

  mountRoute(mount, routes.listReplays, async (request) => {
    const { query, workspace } = request;
    const scope = query.scope ?? (workspace && `workspace:${workspace.publicId}`);
    if (scope === undefined) throw new Error('A list of replays without a scope is refused by its definition');
    const place = await requireReplayScope(db, request, scope);
    const page = await readNamedPage(query, 'publicId', (after) => listReplays(db, { ...place, ...after }));
    const ids = page.items.map(({ id }) => id);
    const progress = await deps.slowReads.run(request, () => countReplayed(deps.readDb, ids));
    const replays = page.items.map((replay) => presentReplay(replay, progress.get(replay.id)));
    return { replays, nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.getReplay, async (request) => {
    return await present(request, await requireReplay(db, request, request.params.rpl));
  });

  for (const how of ['pause', 'resume', 'cancel'] as const) {
    mountRoute(mount, routes[`${how}Replay`], async (request) => {
      const replay = await requireReplay(db, request, request.params.rpl);
      return await present(request, await moveReplay(deps, { replay, how, audit: auditContext(request) }));
    });
  }

  async function present(request: SlowReadRequest, replay: ReplayRecord) {
    const progress = await deps.slowReads.run(request, () => countReplayed(deps.readDb, [replay.id]));
    return presentReplay(replay, progress.get(replay.id));
  }
}
