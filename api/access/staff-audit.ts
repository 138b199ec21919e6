import type { Knex } from 'knex';
import { type AuditContext, recordAudit } from '../../db/audit-entries.ts';
import { type AuditedRequest, auditContext } from './audit-context.ts';

/** Where something is that staff act on: its organization's people read who did it, and why. */
export interface StaffActPlace {
  readonly organizationId: number;
  readonly workspaceId?: number;
}

/** All but the act itself: who of support, where, why, on which request. */
export function staffAudit(
  request: AuditedRequest,
  { organizationId, workspaceId, reason }: StaffActPlace & { readonly reason: string | undefined },
): AuditContext {
  const workspace = workspaceId === undefined ? undefined : { id: workspaceId };
  return { ...auditContext({ ...request, organization: { id: organizationId }, workspace }), reason: reason ?? null };
}

export interface StaffSearchAct {
  /** Those whose deliveries it showed. */
  readonly organizationIds: readonly number[];
  readonly reason: string | undefined;
  /** The id that was searched for, where it was one. */
  readonly targetId: string | undefined;
}

/** Records a search with every organization that it showed something of, or with none where it showed nothing. */
export async function recordStaffSearch(db: Knex, request: AuditedRequest, act: StaffSearchAct): Promise<void> {
  const { organizationIds, reason, targetId } = act;
  const entry = {
    ...auditContext(request),
    action: 'delivery.searched',
    targetId: targetId ?? null,
    reason: reason ?? null,
  };
  const places = organizationIds.length > 0 ? organizationIds : [null];
  await db.transaction(async (trx) => {
    for (const organizationId of places) await recordAudit(trx, { ...entry, organizationId });
  });
}
