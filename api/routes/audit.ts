import { auditRoutes as routes } from '../../contract/routes/audit.ts';
import { listAuditRecords } from '../../db/queries/audit-page.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { invalidCursor, readPage } from '../page.ts';
import { presentAuditEntry } from '../presenters/audit.ts';

export function mountAuditRoutes(mount: Mount): void {
  const { db } = mount.deps;

  mountOperation(mount, routes.listAuditEntries, async ({ organization, query }) => {
    const before = query.cursor === undefined ? undefined : entryNumber(query.cursor);
    const page = await readPage(query.limit, {
      read: (limit) =>
        listAuditRecords(db, {
          organizationId: organization.id,
          action: query.action,
          actorId: query.actor,
          since: query.since === undefined ? undefined : new Date(query.since),
          until: query.until === undefined ? undefined : new Date(query.until),
          before,
          limit,
        }),
      cursorOf: ({ id }) => String(id),
    });
    return { entries: page.items.map(presentAuditEntry), nextCursor: page.nextCursor };
  });
}

function entryNumber(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw invalidCursor();
  return Number(cursor);
}
