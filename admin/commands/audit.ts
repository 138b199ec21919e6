import type { AuditContext } from '../../db/audit/record-audit.ts';

/** The operator acts through the machine and has no user. */
export function operatorAudit(organizationId: number | null, workspaceId: number | null = null): AuditContext {
  return { organizationId, workspaceId, actor: { type: 'system', id: 'admin' } };
}
