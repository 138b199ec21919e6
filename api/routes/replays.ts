import type { ReplayMove } from '../../contract/replay.ts';
import { replayRoutes as routes } from '../../contract/routes/replays.ts';
import { type AuditContext, recordAudit } from '../../db/audit-entries.ts';
import { countReplayed } from '../../db/queries/replay-progress.ts';
import { listReplays, moveReplay, type ReplayRecord } from '../../db/replays.ts';
import { auditContext } from '../access/audit-context.ts';
import { requireReplay, requireReplayScope } from '../access/replay-scope.ts';
import { createReplay, tellReplay } from '../create-replay.ts';
import { Conflict, InvalidRequest } from '../errors.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { readPage } from '../page.ts';
import { presentReplay } from '../presenters/replay.ts';

export function mountReplayRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes.createReplay, async (request) => {
    const place = await requireReplayScope(db, request, request.body.scope);
    const audit = { ...auditContext(request), organizationId: place.organizationId, workspaceId: place.workspaceId };
    return await createReplay(deps, { place, input: request.body, audit });
  });

  mountOperation(mount, routes.listReplays, async (request) => {
    const { query, workspace } = request;
    const scope = query.scope ?? (workspace && `workspace:${workspace.publicId}`);
    if (scope === undefined) throw new InvalidRequest('query.scope: missing, and so is the header X-Workspace-Id.');
    const place = await requireReplayScope(db, request, scope);
    const page = await readPage(query.limit, {
      read: (limit) => listReplays(db, { ...place, after: query.cursor, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    const progress = await countReplayed(
      db,
      page.items.map(({ id }) => id),
    );
    const replays = page.items.map((replay) => presentReplay(replay, progress.get(replay.id)));
    return { replays, nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getReplay, async (request) => {
    return await present(await requireReplay(db, request, request.params.rpl));
  });

  mountOperation(mount, routes.pauseReplay, async (request) => {
    return await move(await requireReplay(db, request, request.params.rpl), 'pause', auditContext(request));
  });
  mountOperation(mount, routes.resumeReplay, async (request) => {
    return await move(await requireReplay(db, request, request.params.rpl), 'resume', auditContext(request));
  });
  mountOperation(mount, routes.cancelReplay, async (request) => {
    return await move(await requireReplay(db, request, request.params.rpl), 'cancel', auditContext(request));
  });

  /** The row first: it is what counts, and whoever sends asks it before each batch. */
  async function move(replay: ReplayRecord, how: ReplayMove, context: AuditContext) {
    const { publicId, organizationId, workspaceId } = replay;
    const moved = await db.transaction(async (trx) => {
      const record = await moveReplay(trx, { publicId, move: how });
      if (!record) throw new Conflict('REPLAY_ENDED', `The replay has ended: ${replay.status}.`);
      const audit = { ...context, organizationId, workspaceId };
      await recordAudit(trx, { ...audit, action: `replay.${pastTense[how]}`, targetId: publicId });
      return record;
    });
    await tellReplay(deps, moved);
    return await present(moved);
  }

  async function present(replay: ReplayRecord) {
    return presentReplay(replay, (await countReplayed(db, [replay.id])).get(replay.id));
  }
}

const pastTense: Readonly<Record<ReplayMove, string>> = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' };
