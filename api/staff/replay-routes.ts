import { staffReplayRoutes as routes } from '../../openapi/staff/replay-routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import type { ReplayPlace } from '../../db/replays/plan.ts';
import { countReplayed, listReplays, type ReplayRecord } from '../../db/replays/replays.ts';
import { requireReplay, requireReplayScope } from '../replays/replay-scope.ts';
import { staffAudit } from '../access/staff-audit.ts';
import { createReplay, moveReplay } from '../replays/create-replay.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import type { SlowReadRequest } from '../requests/slow-reads.ts';
import { readNamedPage } from '../routing/page.ts';
import { presentStaffReplay } from '../replays/present.ts';
import { temporalUiOf } from '../routing/temporal-links.ts';

/** The organization's audit log records every read and action. */
export function mountStaffReplayRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;
  const ui = temporalUiOf(deps);

  mountRoute(mount, routes.createStaffReplay, async (request) => {
    const { body, idempotencyKey } = request;
    const place = await requireReplayScope(db, request, body.scope);
    const audit = staffAudit(request, { ...placeOf(place), reason: body.reason });
    return await createReplay(deps, { place, input: body, idempotencyKey, audit, caller: request });
  });

  mountRoute(mount, routes.listStaffReplays, async (request) => {
    const { query } = request;
    const place = await requireReplayScope(db, request, query.scope);
    const page = await readNamedPage(query, 'publicId', (after) => listReplays(db, { ...place, ...after }));
    const audit = staffAudit(request, { ...placeOf(place), reason: query.reason });
    await recordAudit(db, { ...audit, action: 'replay.searched', targetId: idOf(query.scope) });
    const ids = page.items.map(({ id }) => id);
    const progress = await deps.slowReads.run(request, () => countReplayed(deps.readDb, ids));
    const replays = page.items.map((replay) => presentStaffReplay(replay, { ui, progress: progress.get(replay.id) }));
    return { replays, nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.getStaffReplay, async (request) => {
    const replay = await requireReplay(db, request, request.params.rpl);
    const audit = staffAudit(request, { ...placeOf(replay), reason: request.query.reason });
    await recordAudit(db, { ...audit, action: 'replay.read', targetId: replay.publicId });
    return await present(request, replay);
  });

  for (const how of ['pause', 'resume', 'cancel'] as const) {
    mountRoute(mount, routes[`${how}StaffReplay`], async (request) => {
      const replay = await requireReplay(db, request, request.params.rpl);
      const audit = staffAudit(request, { ...placeOf(replay), reason: request.body.reason });
      return await present(request, await moveReplay(deps, { replay, how, audit }));
    });
  }

  async function present(request: SlowReadRequest, replay: ReplayRecord) {
    const progress = await deps.slowReads.run(request, () => countReplayed(deps.readDb, [replay.id]));
    return presentStaffReplay(replay, { ui, progress: progress.get(replay.id) });
  }
}

function placeOf({ organizationId, workspaceId }: Pick<ReplayPlace, 'organizationId' | 'workspaceId'>) {
  return { organizationId, ...(workspaceId !== null && { workspaceId }) };
}

function idOf(scope: string): string {
  return scope.slice(scope.indexOf(':') + 1);
}
