import type { AuditContext } from '../../db/audit/record-audit.ts';

/** For tests that don't examine the audit log. */
export const testAudit: AuditContext = { organizationId: null, actor: { type: 'system', id: 'test' } };
