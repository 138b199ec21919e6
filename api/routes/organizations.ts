import { organizationRoutes as routes } from '../../contract/routes/organizations.ts';
import { findOrganization } from '../../db/organizations.ts';
import { listWorkspaces } from '../../db/workspaces.ts';
import { isOrganizationAdmin } from '../access/authenticate.ts';
import { NotFound } from '../errors.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { readPage } from '../page.ts';
import { presentOrganization, presentWorkspace } from '../presenters/organization.ts';
import type { Principal } from '../state.ts';

export function mountOrganizationRoutes(mount: Mount): void {
  const { db } = mount.deps;

  mountOperation(mount, routes.getOrganization, async ({ principal, params }) => {
    return presentOrganization(await ownOrganization(principal, params.org));
  });

  mountOperation(mount, routes.listWorkspaces, async ({ principal, params, query }) => {
    const organization = await ownOrganization(principal, params.org);
    const page = await readPage(query.limit, {
      read: (limit) =>
        listWorkspaces(db, {
          organizationId: organization.id,
          kind: query.kind,
          memberId: isOrganizationAdmin(principal) ? undefined : principal.userId,
          after: query.cursor,
          limit,
        }),
      cursorOf: ({ publicId }) => publicId,
    });
    return {
      workspaces: page.items.map((workspace) => presentWorkspace(workspace, organization.publicId)),
      nextCursor: page.nextCursor,
    };
  });

  async function ownOrganization({ organizationId }: Principal, publicId: string) {
    const organization = await findOrganization(db, publicId);
    if (organization?.id !== organizationId || !organization) throw new NotFound('ORGANIZATION_NOT_FOUND');
    return organization;
  }
}
