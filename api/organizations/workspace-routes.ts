import { sequencedId } from '../../contract/ids.ts';
import { workspaceRoutes as routes } from '../../openapi/organizations/workspace-routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { findOrganizationById } from '../../db/organizations/organizations.ts';
import { deleteWorkspace } from '../../db/organizations/delete-workspace.ts';
import { countInWorkspace, findWorkspace, updateWorkspace, type Workspace } from '../../db/organizations/workspaces.ts';
import { auditContext } from '../access/audit-context.ts';
import { workspaceRoleIn } from '../access/tenancy.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, Forbidden, NotFound } from '../requests/errors.ts';
import { refuseExternalId, withFreeExternalId } from './external-id.ts';
import { type Mount, mountRoute, type RouteRequest } from '../routing/mount-route.ts';
import { presentWorkspace } from './routes.ts';

type WorkspaceRequest = Pick<RouteRequest<typeof routes.getWorkspace>, 'principal' | 'organization' | 'workspace'>;

export function mountWorkspaceRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, idKey, starts } = deps;

  mountRoute(mount, routes.getWorkspace, (request) => presentOne(deps, request));

  mountRoute(mount, routes.updateWorkspace, async (request) => {
    const { organization, workspace, body } = request;
    const before = await findOne(deps, workspace.publicId);
    if (body.externalId !== undefined && organization.role !== 'admin') {
      throw new Forbidden('Only admins of the organization can change the external id.');
    }
    refuseExternalId({ kind: before.kind, externalId: body.externalId });
    await withFreeExternalId(() =>
      db.transaction(async (trx) => {
        if (!(await updateWorkspace(trx, { id: before.id, ...body }))) throw new NotFound('WORKSPACE_NOT_FOUND');
        const entry = { ...auditContext(request), targetId: before.publicId };
        if (body.name !== undefined && body.name !== before.name) {
          await recordAudit(trx, { ...entry, action: 'workspace.renamed' });
        }
        if (body.externalId !== undefined && body.externalId !== before.externalId) {
          await recordAudit(trx, { ...entry, action: 'workspace.relabelled' });
        }
      }),
    );
    return await presentOne(deps, request);
  });

  mountRoute(mount, routes.deleteWorkspace, async (request) => {
    const { organization, workspace, query } = request;
    const audit = auditContext(request);
    const deletion = await deleteWorkspace(db, {
      ...workspace,
      organizationId: organization.id,
      audit,
      erases: query.erase === 'true',
    });
    if (deletion.outcome === 'gone') throw new NotFound('WORKSPACE_NOT_FOUND');
    if (deletion.outcome === 'last') {
      throw new Conflict(
        'LAST_WORKSPACE',
        'The last workspace of an organization cannot be deleted. Create another one first.',
      );
    }
    starts.cancelDeliveries(deletion.retrying.map((id) => sequencedId(idKey, 'delivery', id)));
  });
}

async function findOne({ db }: ApiDeps, publicId: string): Promise<Workspace> {
  const workspace = await findWorkspace(db, publicId);
  if (!workspace) throw new NotFound('WORKSPACE_NOT_FOUND');
  return workspace;
}

async function presentOne(deps: ApiDeps, { principal, organization, workspace: { id, publicId } }: WorkspaceRequest) {
  const { db } = deps;
  const [workspace, owner, counts, role] = await Promise.all([
    findOne(deps, publicId),
    findOrganizationById(db, organization.id),
    countInWorkspace(db, id),
    workspaceRoleIn(db, { principal, role: organization.role, workspaceId: id }),
  ]);
  if (!owner) throw new NotFound('WORKSPACE_NOT_FOUND');
  return { ...presentWorkspace(workspace, owner.publicId), ...counts, role: role ?? ('member' as const) };
}
