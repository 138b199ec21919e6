import { type IdKey, sequencedId } from '../../contract/ids.ts';
import { erasureCounts } from '../../contract/erasures/erasure.ts';
import { type ErasureBody, erasureRoutes as routes } from '../../openapi/erasures/routes.ts';
import { type ErasureRecord, findErasure, listErasures } from '../../db/erasures/erasures.ts';
import { auditContext } from '../access/audit-context.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { readNumberedPage } from '../routing/page.ts';
import { createErasure } from './create-erasure.ts';
import { mountExportRoutes } from './export-routes.ts';

export function mountErasureRoutes(mount: Mount): void {
  mountExportRoutes(mount);
  const { deps } = mount;
  const { db, idKey } = deps;

  mountOperation(mount, routes.createErasure, async (request) => {
    const { organization, body } = request;
    const audit = auditContext(request);
    return await createErasure(deps, { organizationId: organization.id, input: body, audit, caller: request });
  });

  mountOperation(mount, routes.listErasures, async ({ organization, query }) => {
    const page = await readNumberedPage({ ...query, idKey, list: 'erasures' }, ({ before, limit }) =>
      listErasures(db, { organizationId: organization.id, before, limit }),
    );
    return { erasures: page.items.map((erasure) => presentErasure(erasure, idKey)), nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getErasure, async ({ organization, params }) => {
    const erasure = await findErasure(db, { organizationId: organization.id, publicId: params.ers });
    if (!erasure) throw new NotFound('ERASURE_NOT_FOUND');
    return presentErasure(erasure, idKey);
  });
}

function presentErasure(erasure: ErasureRecord, idKey: IdKey): ErasureBody {
  const counts = erasureCounts.map((name) => [name, erasure.counts[name] ?? 0]);
  return {
    erasureId: erasure.publicId,
    kind: erasure.kind,
    eventId: erasure.eventId === null ? null : sequencedId(idKey, 'event', erasure.eventId),
    workspaceId: erasure.workspacePublicId,
    channelId: erasure.channelPublicId,
    reason: erasure.reason,
    status: erasure.status,
    step: erasure.step,
    erased: Object.fromEntries(counts) as ErasureBody['erased'], // each count has its name
    createdAt: erasure.createdAt.toISOString(),
    endedAt: erasure.endedAt?.toISOString() ?? null,
  };
}
