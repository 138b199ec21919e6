import { auditRoutes as routes } from '../../openapi/audit/routes.ts';
import { type AuditRecord, listAuditRecords } from '../../db/audit/list-audit-records.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNumberedPage } from '../routing/page.ts';

export function mountAuditRoutes(mount: Mount): void {
  const { readDb } = mount.deps;

  mountRoute(mount, routes.listAuditEntries, async ({ organization, query }) => {
    const page = await readNumberedPage({ ...query, idKey: mount.deps.idKey, list: 'auditEntries' }, (range) =>
      listAuditRecords(readDb, {
        organizationId: organization.id,
        action: query.action,
        actorId: query.actor,
        ...range,
      }),
    );
    return { entries: page.items.map(presentAuditEntry), nextCursor: page.nextCursor };
  });
}

export function presentAuditEntry(entry: AuditRecord) {
  const actor = { type: entry.actorType, id: entry.actorId, name: entry.actorName };
  return { ...entry, at: entry.createdAt, actor, workspaceId: entry.workspacePublicId };
}
