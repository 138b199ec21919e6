import type { Knex } from 'knex';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { type AuditedRequest, auditContext } from './audit-context.ts';

/** Where something is that staff act on: its organization's people read who did it, and why. */
export interface StaffActPlace {
  readonly organizationId: number;
  readonly workspaceId?: number;
}

/** All but the act itself: who of support, where, why, on which request. */
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
  /** Those that it showed something of, which read of it in their own audit log. */
  readonly organizationIds: readonly number[];
  readonly reason: string;
  /** What was searched for, where it was one thing. */
  readonly targetId?: string | undefined;
}

/** Records a search with every organization that it showed something of, or with none where it showed nothing. */
export async function recordStaffSearch(db: Knex, request: AuditedRequest, act: StaffSearchAct): Promise<void> {
  const { action, organizationIds, reason, targetId = null } = act;
  const entry = { ...auditContext(request), action, targetId, reason };
  const places = organizationIds.length > 0 ? organizationIds : [null];
  await db.transaction(async (trx) => {
    for (const organizationId of places) await recordAudit(trx, { ...entry, organizationId });
  });
}
