import { auditRoutes as routes } from '../../contract/routes/audit.ts';
import { listAuditRecords } from '../../db/queries/audit-page.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { readNumberedPage } from '../page.ts';
import { presentAuditEntry } from '../presenters/audit.ts';

export function mountAuditRoutes(mount: Mount): void {
  const { db } = mount.deps;

  mountOperation(mount, routes.listAuditEntries, async ({ organization, query }) => {
    const page = await readNumberedPage(query, (range) =>
      listAuditRecords(db, { organizationId: organization.id, action: query.action, actorId: query.actor, ...range }),
    );
    return { entries: page.items.map(presentAuditEntry), nextCursor: page.nextCursor };
  });
}
