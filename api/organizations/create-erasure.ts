import type { ErasureInput } from '../../openapi/erasures/routes.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { countErasable } from '../../db/erasures/erasure-scope.ts';
import { countOpenErasures, insertErasure } from '../../db/erasures/erasures.ts';
import { lockOrganization } from '../../db/organizations/organizations.ts';
import type { SlowReadRequest } from '../requests/slow-reads.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict } from '../requests/errors.ts';
import { findErasureScope } from './erasure-scope.ts';

export interface CreateErasure {
  readonly organizationId: number;
  readonly input: ErasureInput;
  readonly audit: AuditContext;
  readonly caller: SlowReadRequest;
}

export interface CreatedErasure {
  /** Null for a dry run. */
  readonly erasureId: string | null;
  readonly matched: number;
}

/** Erasures of an organization under way at once. */
const MAX_OPEN = 20;

/** Stores the erasure; a worker starts its workflow within seconds. A dry run only counts. */
export async function createErasure(
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
