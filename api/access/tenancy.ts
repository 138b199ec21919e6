import type { Knex } from 'knex';
import type { ErrorCode } from '../../contract/errors.ts';
import { isId } from '../../contract/ids.ts';
import { includesRole } from '../../contract/identity/roles.ts';
import type { GuardedAccess } from '../../openapi/definitions/route-definition.ts';
import { findOrganization } from '../../db/organizations/organizations.ts';
import { type ChannelRecord, findChannelRecord } from '../../db/channels/records.ts';
import {
  findOrganizationRole,
  findWorkspaceRole,
  type OrganizationRole,
  type WorkspaceRole,
} from '../../db/people/users.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import { Forbidden, InvalidRequest, NotFound, WorkspaceMismatch } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { requireChannel } from './portal-channels.ts';

export interface OrganizationScope {
  readonly id: number;
  readonly role: OrganizationRole;
}

export interface WorkspaceScope {
  readonly id: number;
  readonly publicId: string;
}

export interface Tenancy {
  readonly organization?: OrganizationScope;
  readonly workspace?: WorkspaceScope;
  readonly channel?: ChannelRecord;
  readonly mayReveal?: boolean;
}

const HEADER = 'X-Workspace-Id';

export interface TenancyRequest {
  readonly principal: Principal;
  readonly access: GuardedAccess;
  readonly params: Readonly<Record<string, string>>;
  readonly workspaceId: () => string;
  readonly checkIds: () => void;
}

/** Throws for callers without access. */
export async function findTenancy(db: Knex, request: TenancyRequest): Promise<Tenancy> {
  const { principal, access, params, checkIds } = request;
  requireUnlimited(principal, access);
  const takesHeader = ['header', 'channel', 'scope'].includes(access.within);
  const header = takesHeader ? await workspaceOfHeader(db, request) : undefined;
  checkIds();
  if (['person', 'scope'].includes(access.within)) return header ? placeOf(header) : {};
  if (access.within === 'installation') return await anywhere(db, params.ch);
  if (access.within === 'organization') {
    const organization = await organizationOfPath(db, principal, params.org ?? '');
    requireRole(organization.role, access, 'an organization');
    return { organization };
  }
  const place = access.within === 'workspace' ? await workspaceOfPath(db, principal, params.ws ?? '') : header;
  const channel = params.ch === undefined ? undefined : await channelOfPath(db, { place, publicId: params.ch });
  if (channel) requireChannel(principal, channel.publicId, 'CHANNEL_NOT_FOUND');
  const tenancy = place ?? (channel && (await workspaceOfChannel(db, principal, channel)));
  if (!tenancy) throw new Error('A route within a workspace names none');
  requireWorkspaceRole(tenancy, access);
  return { ...placeOf(tenancy), ...(channel && { channel }), mayReveal: mayReveal(principal, tenancy) };
}

export async function roleIn(
  db: Knex,
  principal: Principal,
  organizationId: number,
): Promise<OrganizationRole | undefined> {
  const { organization, workspaceIds, userId } = principal;
  if (!organization) return await findOrganizationRole(db, { organizationId, userId });
  if (organization.id !== organizationId) return undefined;
  return workspaceIds === null ? keyRole(principal) : 'member';
}

/** Keys with full access belong to the organization. */
function keyRole({ organization, scopes }: Principal): OrganizationRole | undefined {
  return scopes === null ? 'admin' : (organization?.role ?? undefined);
}

async function organizationOfPath(db: Knex, principal: Principal, publicId: string): Promise<OrganizationScope> {
  const organization = await findOrganization(db, publicId);
  const role = organization && (await roleIn(db, principal, organization.id));
  if (!role) throw new NotFound('ORGANIZATION_NOT_FOUND');
  return { id: organization.id, role };
}

/**
 * Returns undefined if the workspace must appear not to exist. Organization admins are admins of all workspaces. A key
 * that is limited to workspaces is a member of the organization and has its rights only there.
 */
export async function workspaceRoleIn(
  db: Knex,
  { principal, role, workspaceId }: { principal: Principal; role: OrganizationRole; workspaceId: number },
): Promise<WorkspaceRole | undefined> {
  const { workspaceIds, userId } = principal;
  if (workspaceIds !== null && !workspaceIds.includes(workspaceId)) return undefined;
  return isAdminWhereVisible(principal, role) ? 'admin' : await findWorkspaceRole(db, { workspaceId, userId });
}

/** Whether the caller is an admin of every workspace that it can see. */
export function isAdminWhereVisible(principal: Principal, role: OrganizationRole): boolean {
  return role === 'admin' || (principal.workspaceIds !== null && keyRole(principal) === 'admin');
}

interface WorkspaceTenancy {
  readonly organization: OrganizationScope;
  readonly workspace: WorkspaceScope;
  readonly workspaceRole: WorkspaceRole;
}

function placeOf({ organization, workspace }: WorkspaceTenancy): Pick<WorkspaceTenancy, 'organization' | 'workspace'> {
  return { organization, workspace };
}

async function workspaceOfHeader(
  db: Knex,
  { principal, access, workspaceId }: TenancyRequest,
): Promise<WorkspaceTenancy | undefined> {
  const publicId = workspaceId();
  if (publicId === '' && access.within !== 'header') return undefined;
  if (publicId === '') throw new InvalidRequest(`The header ${HEADER} is missing.`);
  if (!isId('workspace', publicId)) throw new InvalidRequest(`The header ${HEADER} is not a workspace id (ws_…).`);
  const workspace = await findWorkspace(db, publicId);
  if (!workspace) throw new NotFound('WORKSPACE_NOT_FOUND');
  const role = await roleIn(db, principal, workspace.organizationId);
  if (!role) throw new WorkspaceMismatch();
  return await partIn(db, { principal, role, workspace, notFound: 'WORKSPACE_NOT_FOUND' });
}

async function workspaceOfPath(db: Knex, principal: Principal, publicId: string): Promise<WorkspaceTenancy> {
  const workspace = await findWorkspace(db, publicId);
  const role = workspace && (await roleIn(db, principal, workspace.organizationId));
  if (!role) throw new NotFound('WORKSPACE_NOT_FOUND');
  return await partIn(db, { principal, role, workspace, notFound: 'WORKSPACE_NOT_FOUND' });
}

async function channelOfPath(
  db: Knex,
  { place, publicId }: { place: WorkspaceTenancy | undefined; publicId: string },
): Promise<ChannelRecord> {
  const channel = await findChannelRecord(db, { publicId, workspaceId: place?.workspace.id });
  if (!channel) throw new NotFound('CHANNEL_NOT_FOUND');
  return channel;
}

/** For staff only. */
async function anywhere(db: Knex, publicId: string | undefined): Promise<Tenancy> {
  if (publicId === undefined) return {};
  return { channel: await channelOfPath(db, { place: undefined, publicId }) };
}

async function workspaceOfChannel(db: Knex, principal: Principal, channel: ChannelRecord): Promise<WorkspaceTenancy> {
  const { organizationId, workspaceId, workspacePublicId } = channel;
  const role = await roleIn(db, principal, organizationId);
  if (!role) throw new NotFound('CHANNEL_NOT_FOUND');
  const workspace = { id: workspaceId, publicId: workspacePublicId, organizationId };
  return await partIn(db, { principal, role, workspace, notFound: 'CHANNEL_NOT_FOUND' });
}

interface Part {
  readonly principal: Principal;
  readonly role: OrganizationRole;
  readonly workspace: WorkspaceScope & { readonly organizationId: number };
  /** Hides that the workspace exists. */
  readonly notFound: ErrorCode;
}

async function partIn(db: Knex, { principal, role, workspace, notFound }: Part): Promise<WorkspaceTenancy> {
  const { id, publicId, organizationId } = workspace;
  const workspaceRole = await workspaceRoleIn(db, { principal, role, workspaceId: id });
  if (!workspaceRole) throw new NotFound(notFound);
  return { organization: { id: organizationId, role }, workspace: { id, publicId }, workspaceRole };
}

/** Routes of the organization or a person show more than the workspaces of a key. */
function requireUnlimited({ workspaceIds }: Principal, { within, admitsLimited = false }: GuardedAccess): void {
  if (workspaceIds === null || admitsLimited || !['person', 'organization'].includes(within)) return;
  throw new Forbidden('This API key is limited to workspaces, and this operation concerns the whole organization.');
}

function mayReveal({ scopes }: Principal, { workspaceRole }: WorkspaceTenancy): boolean {
  return includesRole(workspaceRole, 'developer') && (scopes === null || scopes.includes('channel.reveal'));
}

function requireWorkspaceRole({ organization, workspaceRole }: WorkspaceTenancy, access: GuardedAccess): void {
  if (access.role === 'organization_admin') requireRole(organization.role, access, 'an organization');
  else requireRole(workspaceRole, access, 'a workspace');
}

function requireRole(role: WorkspaceRole, { role: needed }: GuardedAccess, place: string): void {
  if (includesRole(role, needed === 'organization_admin' ? 'admin' : needed)) return;
  if (needed !== 'developer') throw new Forbidden(`This requires the role of ${place} admin.`);
  throw new Forbidden(
    `This returns a secret and requires the role of ${place} developer. An admin can change your role.`,
  );
}
