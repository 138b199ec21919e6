import type { AuditContext } from '../../db/audit/record-audit.ts';

export const testAudit: AuditContext = { organizationId: null, actor: { type: 'system', id: 'test' } };
