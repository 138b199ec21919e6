import { type IdKey, sequencedId } from '../../contract/ids.ts';
import { erasureCounts } from '../../contract/erasures/erasure.ts';
import { type ErasureBody, type ErasureInput, erasureRoutes as routes } from '../../openapi/erasures/routes.ts';
import {
  countOpenErasures,
  type ErasureRecord,
  findErasure,
  insertErasure,
  listErasures,
} from '../../db/erasures/erasures.ts';
import { auditContext } from '../access/audit-context.ts';
import { Conflict, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNumberedPage } from '../routing/page.ts';
import { mountExportRoutes } from './export-routes.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { countErasable } from '../../db/erasures/erasure-scope.ts';
import { lockOrganization } from '../../db/organizations/organizations.ts';
import type { SlowReadRequest } from '../requests/slow-reads.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { findErasureScope } from './erasure-scope.ts';

export function mountErasureRoutes(mount: Mount): void {
  mountExportRoutes(mount);
  const { deps } = mount;
  const { db, idKey } = deps;

  mountRoute(mount, routes.createErasure, async (request) => {
    const { organization, body } = request;
    const audit = auditContext(request);
    return await createErasure(deps, { organizationId: organization.id, input: body, audit, caller: request });
  });

  mountRoute(mount, routes.listErasures, async ({ organization, query }) => {
    const page = await readNumberedPage({ ...query, idKey, list: 'erasures' }, ({ before, limit }) =>
      listErasures(db, { organizationId: organization.id, before, limit }),
    );
    return { erasures: page.items.map((erasure) => presentErasure(erasure, idKey)), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.getErasure, async ({ organization, params }) => {
    const erasure = await findErasure(db, { organizationId: organization.id, publicId: params.ers });
    if (!erasure) throw new NotFound('ERASURE_NOT_FOUND');
    return presentErasure(erasure, idKey);
  });
}

function presentErasure(erasure: ErasureRecord, idKey: IdKey) {
  return {
    ...erasure,
    erasureId: erasure.publicId,
    eventId: erasure.eventId === null ? null : sequencedId(idKey, 'event', erasure.eventId),
    workspaceId: erasure.workspacePublicId,
    channelId: erasure.channelPublicId,
    erased: Object.fromEntries(erasureCounts.map((name) => [name, erasure.counts[name] ?? 0])) as ErasureBody['erased'], // each count has its name
  };
}

interface CreateErasure {
  readonly organizationId: number;
  readonly input: ErasureInput;
  readonly audit: AuditContext;
  readonly caller: SlowReadRequest;
}

interface CreatedErasure {
  /** Null for a dry run. */
  readonly erasureId: string | null;
  readonly matched: number;
}

/** Erasures of an organization under way at once. */
const MAX_OPEN = 20;

/** Stores the erasure; a worker starts its workflow within seconds. A dry run only counts. */
async function createErasure(
  deps: ApiDeps,
  { organizationId, input, audit, caller }: CreateErasure,
): Promise<CreatedErasure> {
  const { db } = deps;
  const scope = await findErasureScope(deps, organizationId, input.scope);
  const matched = await deps.slowReads.run(caller, () => countErasable(deps.readDb, scope));
  if (input.dryRun) {
    const { workspaceId } = scope;
    await recordAudit(db, { ...audit, workspaceId, action: 'erasure.counted', reason: input.reason });
    return { erasureId: null, matched };
  }
  const erasureId = await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    if ((await countOpenErasures(trx, organizationId)) >= MAX_OPEN) {
      throw new Conflict('LIMIT_REACHED', `At most ${MAX_OPEN} erasures run at once. Wait until one is completed.`);
    }
    const publicId = await insertErasure(trx, { ...scope, reason: input.reason });
    await recordAudit(trx, {
      ...audit,
      workspaceId: scope.workspaceId,
      action: 'erasure.created',
      targetId: publicId,
      reason: input.reason,
    });
    return publicId;
  });
  return { erasureId, matched };
}
