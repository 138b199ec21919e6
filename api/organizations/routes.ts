import { organizationRoutes as routes } from '../../openapi/organizations/routes.ts';
import { findOrganization, type Organization, renameOrganization } from '../../db/organizations/organizations.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { enforceOrganizationLimit } from '../../db/organizations/limits.ts';
import { insertWorkspace, listWorkspaces, type Workspace } from '../../db/organizations/workspaces.ts';
import { insertOwnOrganization } from '../../db/people/ensure-person.ts';
import { auditContext } from '../access/audit-context.ts';
import { withFreeExternalId } from './external-id.ts';
import { NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { isAdminWhereVisible, type OrganizationScope } from '../access/tenancy.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import { mountPortalRoutes } from './portal-routes.ts';

export function mountOrganizationRoutes(mount: Mount): void {
  mountPortalRoutes(mount);
  const { db } = mount.deps;

  mountRoute(mount, routes.getOrganization, async ({ params }) => {
    const organization = await findOrganization(db, params.org);
    if (!organization) throw new NotFound('ORGANIZATION_NOT_FOUND');
    return presentOrganization(organization);
  });

  mountRoute(mount, routes.createOrganization, async (request) => {
    const { principal, body } = request;
    return await db.transaction(async (trx) => {
      const created = await insertOwnOrganization(trx, { userId: principal.userId, name: body.name });
      const where = { ...auditContext(request), organizationId: created.id };
      await recordAudit(trx, { ...where, action: 'organization.created', targetId: created.publicId });
      return presentOrganization(created);
    });
  });

  mountRoute(mount, routes.updateOrganization, async (request) => {
    const { organization, params, body } = request;
    await db.transaction(async (trx) => {
      if (!(await renameOrganization(trx, { id: organization.id, name: body.name }))) return;
      await recordAudit(trx, { ...auditContext(request), action: 'organization.renamed', targetId: params.org });
    });
    const renamed = await findOrganization(db, params.org);
    if (!renamed) throw new NotFound('ORGANIZATION_NOT_FOUND');
    return presentOrganization(renamed);
  });

  mountRoute(mount, routes.listWorkspaces, async ({ principal, organization, params, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listWorkspaces(db, {
        organizationId: organization.id,
        kind: query.kind,
        externalId: query.externalId,
        search: query.search,
        ...visibleTo(principal, organization),
        ...after,
      }),
    );
    return {
      workspaces: page.items.map((workspace) => presentWorkspace(workspace, params.org)),
      nextCursor: page.nextCursor,
    };
  });

  mountRoute(mount, routes.createWorkspace, async (request) => {
    const { organization, params, body } = request;
    const { externalId, ...others } = body;
    const workspace = { ...others, organizationId: organization.id, ...(externalId !== undefined && { externalId }) };
    return await withFreeExternalId(() =>
      db.transaction(async (trx) => {
        await enforceOrganizationLimit(trx, { organizationId: organization.id, limit: 'workspaces' });
        const created = await insertWorkspace(trx, workspace);
        const where = { ...auditContext(request), workspaceId: created.id };
        await recordAudit(trx, { ...where, action: 'workspace.created', targetId: created.publicId });
        return presentWorkspace(created, params.org);
      }),
    );
  });
}

function visibleTo(principal: Principal, { role }: OrganizationScope) {
  const { workspaceIds, userId } = principal;
  const memberId = isAdminWhereVisible(principal, role) ? undefined : userId;
  return { ids: workspaceIds ?? undefined, memberId };
}

const presentOrganization = (organization: Organization) => ({ ...organization, id: organization.publicId });

export function presentWorkspace(workspace: Workspace, organizationId: string) {
  return { ...workspace, id: workspace.publicId, organizationId };
}
