import type { Knex } from 'knex';
import type { ErrorCode } from '../../contract/errors.ts';
import { findOrganization } from '../../db/organizations/organizations.ts';
import { findChannelRecord } from '../../db/channels/records.ts';
import { findChannelOfDeliveries } from '../../db/deliveries/filters.ts';
import type { ReplayPlace } from '../../db/replays/plan.ts';
import { findReplay, type ReplayRecord } from '../../db/replays/replays.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import { Forbidden, NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { channelMustBeNamed, requireChannel, visibleChannelIds } from '../access/portal-channels.ts';
import { type OrganizationScope, roleIn, workspaceRoleIn, type WorkspaceScope } from '../access/tenancy.ts';

export interface ReplayCaller {
  readonly principal: Principal;
  readonly organization: OrganizationScope | undefined;
  readonly workspace: WorkspaceScope | undefined;
}

/**
 * Members may replay in their workspaces, admins in the organization, and staff everywhere, through their own routes
 * only.
 */
async function accessTo(
  db: Knex,
  principal: Principal,
  place: ReplayPlace,
): Promise<'granted' | 'refused' | 'foreign'> {
  if (principal.kind === 'staff') return 'granted';
  const role = await roleIn(db, principal, place.organizationId);
  if (role === undefined) return 'foreign';
  if (role === 'admin') return 'granted';
  if (place.workspaceId === null) return 'refused';
  return (await workspaceRoleIn(db, { principal, role, workspaceId: place.workspaceId })) ? 'granted' : 'foreign';
}

/** NotFound hides foreign places. */
export async function requireReplayScope(db: Knex, caller: ReplayCaller, scope: string): Promise<ReplayPlace> {
  const [kind = '', publicId = ''] = scope.split(':');
  const { find, notFound } = places[kind as keyof typeof places];
  const place = await find(db, publicId, caller);
  if (kind === 'channel') requireChannel(caller.principal, publicId, 'CHANNEL_NOT_FOUND');
  else if (visibleChannelIds(caller.principal)) throw channelMustBeNamed();
  const access = place && (await accessTo(db, caller.principal, place));
  if (!place || access === 'foreign') throw new NotFound(notFound);
  if (access === 'refused') throw new Forbidden('This requires the role of an organization admin.');
  return place;
}

export async function requireReplay(db: Knex, caller: ReplayCaller, publicId: string): Promise<ReplayRecord> {
  const replay = await findReplay(db, publicId);
  const { organization, workspace } = caller;
  const isElsewhere =
    (organization && replay?.organizationId !== organization.id) ||
    (workspace && replay && replay.workspaceId !== null && replay.workspaceId !== workspace.id);
  if (!replay || isElsewhere) throw new NotFound('REPLAY_NOT_FOUND');
  const place = { organizationId: replay.organizationId, workspaceId: replay.workspaceId, channelId: null };
  if ((await accessTo(db, caller.principal, place)) !== 'granted') throw new NotFound('REPLAY_NOT_FOUND');
  requireChannel(caller.principal, replay.channelPublicId ?? '', 'REPLAY_NOT_FOUND');
  return replay;
}

type Find = (db: Knex, publicId: string, caller: ReplayCaller) => Promise<ReplayPlace | undefined>;

/** The channel may have left the workspace of the header. */
const findChannelPlace: Find = async (db, publicId, { organization, workspace }) => {
  if (organization && workspace) {
    const channelId = await findChannelOfDeliveries(db, { workspaceId: workspace.id, publicId });
    return channelId === undefined
      ? undefined
      : { organizationId: organization.id, workspaceId: workspace.id, channelId };
  }
  const channel = await findChannelRecord(db, { publicId });
  return channel && { organizationId: channel.organizationId, workspaceId: channel.workspaceId, channelId: channel.id };
};

const findWorkspacePlace: Find = async (db, publicId, caller) => {
  const workspace = await findWorkspace(db, publicId);
  if (!workspace || (caller.workspace && caller.workspace.id !== workspace.id)) return undefined;
  return { organizationId: workspace.organizationId, workspaceId: workspace.id, channelId: null };
};

const findOrganizationPlace: Find = async (db, publicId, caller) => {
  const organization = await findOrganization(db, publicId);
  if (!organization || (caller.organization && caller.organization.id !== organization.id)) return undefined;
  return { organizationId: organization.id, workspaceId: null, channelId: null };
};

const places = {
  channel: { find: findChannelPlace, notFound: 'CHANNEL_NOT_FOUND' },
  workspace: { find: findWorkspacePlace, notFound: 'WORKSPACE_NOT_FOUND' },
  organization: { find: findOrganizationPlace, notFound: 'ORGANIZATION_NOT_FOUND' },
} as const satisfies Record<string, { readonly find: Find; readonly notFound: ErrorCode }>;
