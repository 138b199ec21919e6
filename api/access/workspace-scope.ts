import type { Knex } from 'knex';
import { isId } from '../../contract/ids.ts';
import { type ChannelRecord, findChannelRecord } from '../../db/queries/channel-records.ts';
import { findWorkspaceRole } from '../../db/users.ts';
import { findWorkspace } from '../../db/workspaces.ts';
import { Forbidden, InvalidRequest, NotFound, WorkspaceMismatch } from '../errors.ts';
import type { ApiContext, Principal } from '../state.ts';
import { isOrganizationAdmin } from './authenticate.ts';

/** The workspace that a request is about. */
export interface WorkspaceScope {
  readonly id: number;
  readonly publicId: string;
}

const HEADER = 'X-Workspace-Id';

/** The workspace that the header names; undefined where there is no header and none is required. */
export async function workspaceOfHeader(
  ctx: ApiContext,
  db: Knex,
  { principal, required }: { principal: Principal; required: boolean },
): Promise<WorkspaceScope | undefined> {
  const publicId = ctx.get(HEADER);
  if (publicId === '' && !required) return undefined;
  if (publicId === '') throw new InvalidRequest(`The header ${HEADER} is missing.`);
  if (!isId('workspace', publicId)) throw new InvalidRequest(`The header ${HEADER} is not a workspace id (ws_…).`);
  const workspace = await findWorkspace(db, publicId);
  if (!workspace) throw new NotFound('WORKSPACE_NOT_FOUND');
  if (workspace.organizationId !== principal.organizationId) throw new WorkspaceMismatch();
  return workspace;
}

/** The channel that the path names, in the workspace where one is known; every other one does not exist. */
export async function channelOfPath(
  db: Knex,
  key: { principal: Principal; workspace: WorkspaceScope | undefined; channelId: string },
): Promise<ChannelRecord> {
  const channel = await findChannelRecord(db, {
    organizationId: key.principal.organizationId,
    workspaceId: key.workspace?.id,
    publicId: key.channelId,
  });
  if (!channel) throw new NotFound('CHANNEL_NOT_FOUND');
  return channel;
}

/** Refuses whoever is not in the workspace, and members where an admin is asked for. */
export async function requireRole(
  db: Knex,
  { principal, workspace, role }: { principal: Principal; workspace: WorkspaceScope; role: 'member' | 'admin' },
): Promise<void> {
  if (isOrganizationAdmin(principal)) return;
  const own = await findWorkspaceRole(db, { workspaceId: workspace.id, userId: principal.userId });
  if (own === undefined) throw new Forbidden('The person behind this credential is not a member of the workspace.');
  if (role === 'admin' && own !== 'admin') throw new Forbidden('This needs the role of a workspace admin.');
}
