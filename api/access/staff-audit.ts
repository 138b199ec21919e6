import type { Knex } from 'knex';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { type AuditedRequest, auditContext } from './audit-context.ts';

export interface StaffActPlace {
  readonly organizationId: number;
  readonly workspaceId?: number;
}

export function staffAudit(
  request: AuditedRequest,
  { organizationId, workspaceId, reason }: StaffActPlace & { readonly reason: string },
): AuditContext {
  const workspace = workspaceId === undefined ? undefined : { id: workspaceId };
  return { ...auditContext({ ...request, organization: { id: organizationId }, workspace }), reason };
}

export interface StaffSearchAct {
  /** `noun.pastTense`. */
  readonly action: string;
  readonly organizationIds: readonly number[];
  readonly reason: string;
  readonly targetId?: string | undefined;
}

/** Records a search in each organization whose data it showed. */
export async function recordStaffSearch(db: Knex, request: AuditedRequest, act: StaffSearchAct): Promise<void> {
  const { action, organizationIds, reason, targetId = null } = act;
  const entry = { ...auditContext(request), action, targetId, reason };
  const places = organizationIds.length > 0 ? organizationIds : [null];
  await db.transaction(async (trx) => {
    for (const organizationId of places) await recordAudit(trx, { ...entry, organizationId });
  });
}
