import type { AuditContext } from '../../db/audit/record-audit.ts';

/** The operator uses the command line and has no user account. */
export function operatorAudit(organizationId: number | null, workspaceId: number | null = null): AuditContext {
  return { organizationId, workspaceId, actor: { type: 'system', id: 'admin' } };
}
