import type { AuditContext } from '../../db/audit/record-audit.ts';

/** Audit context of the operator, who acts through the machine and has no user. */
export function operatorAudit(organizationId: number | null, workspaceId: number | null = null): AuditContext {
  return { organizationId, workspaceId, actor: { type: 'system', id: 'admin' } };
}
