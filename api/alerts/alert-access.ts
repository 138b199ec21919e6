import type { Knex } from 'knex';
import { type AlertRecord, type AlertView, findAlert } from '../../db/alerts/alerts.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import {
  isAdminWhereVisible,
  type OrganizationScope,
  roleIn,
  workspaceRoleIn,
  type WorkspaceScope,
} from '../access/tenancy.ts';
import { NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';

export interface AlertCaller {
  readonly principal: Principal;
  readonly organization: OrganizationScope | undefined;
  readonly workspace: WorkspaceScope | undefined;
}

/** NotFound hides workspaces that the caller does not see. */
export async function viewOf(
  db: Knex,
  { principal, organization }: { readonly principal: Principal; readonly organization: OrganizationScope },
  workspacePublicId: string | undefined,
): Promise<AlertView> {
  const { id: organizationId, role } = organization;
  const viewerId = isAdminWhereVisible(principal, role) ? null : principal.userId;
  const view = { organizationId, viewerId, visibleIds: principal.workspaceIds };
  if (workspacePublicId === undefined) return { ...view, workspaceId: null };
  const workspace = await findWorkspace(db, workspacePublicId);
  if (workspace?.organizationId !== organizationId) throw new NotFound('WORKSPACE_NOT_FOUND');
  const isVisible = await workspaceRoleIn(db, { principal, role, workspaceId: workspace.id });
  if (!isVisible) throw new NotFound('WORKSPACE_NOT_FOUND');
  return { ...view, workspaceId: workspace.id };
}

/** Alerts of a whole organization are for its admins. */
export async function requireAlert(db: Knex, caller: AlertCaller, publicId: string): Promise<AlertRecord> {
  const { principal, organization, workspace } = caller;
  const alert = await findAlert(db, publicId);
  const isElsewhere =
    (organization && alert?.organizationId !== organization.id) ||
    (workspace && alert && alert.workspaceId !== null && alert.workspaceId !== workspace.id);
  if (!alert || isElsewhere) throw new NotFound('ALERT_NOT_FOUND');
  const role = await roleIn(db, principal, alert.organizationId);
  const { workspaceId } = alert;
  const mayRead =
    role === 'admin' ||
    (role !== undefined &&
      workspaceId !== null &&
      (await workspaceRoleIn(db, { principal, role, workspaceId })) !== undefined);
  if (!mayRead) throw new NotFound('ALERT_NOT_FOUND');
  return alert;
}
