import type { AuditContext } from '../../db/audit/record-audit.ts';

/** For acts of tests that are not about the audit log. */
export const testAudit: AuditContext = { organizationId: null, actor: { type: 'system', id: 'test' } };
