import type { AuditContext } from '../../db/audit/record-audit.ts';

/** Acts of the installation's operator: there is no person whom the service knows, only access to the machine. */
export function operatorAudit(organizationId: number | null, workspaceId: number | null = null): AuditContext {
  return { organizationId, workspaceId, actor: { type: 'system', id: 'admin' } };
}
