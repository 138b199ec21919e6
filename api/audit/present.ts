import type { AuditEntryBody } from '../../openapi/audit/routes.ts';
import type { AuditRecord } from '../../db/audit/list-audit-records.ts';

export function presentAuditEntry(entry: AuditRecord): AuditEntryBody {
  return {
    at: entry.createdAt.toISOString(),
    actor: { type: entry.actorType, id: entry.actorId, name: entry.actorName },
    action: entry.action,
    targetId: entry.targetId,
    workspaceId: entry.workspacePublicId,
    reason: entry.reason,
    requestId: entry.requestId,
    callerRequestId: entry.callerRequestId,
    clientAddress: entry.clientAddress,
  };
}
