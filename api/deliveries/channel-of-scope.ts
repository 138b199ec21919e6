import type { Knex } from 'knex';
import { findChannelOfDeliveries } from '../../db/deliveries/filters.ts';
import { NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { channelMustBeNamed, requireChannel, visibleChannelIds } from '../access/portal-channels.ts';
import type { WorkspaceScope } from '../access/tenancy.ts';

export interface WorkspaceCaller {
  readonly workspace: WorkspaceScope;
  readonly principal: Principal;
}

/** Returns undefined for the whole workspace. */
export async function channelOfScope(
  db: Knex,
  { workspace, principal }: WorkspaceCaller,
  scope: string | undefined,
): Promise<number | undefined> {
  const [kind = 'workspace', publicId = workspace.publicId] = scope?.split(':') ?? [];
  if (kind === 'workspace') {
    if (publicId !== workspace.publicId) throw new NotFound('WORKSPACE_NOT_FOUND');
    if (visibleChannelIds(principal)) throw channelMustBeNamed();
    return undefined;
  }
  requireChannel(principal, publicId, 'CHANNEL_NOT_FOUND');
  const channelId = await findChannelOfDeliveries(db, { workspaceId: workspace.id, publicId });
  if (channelId === undefined) throw new NotFound('CHANNEL_NOT_FOUND');
  return channelId;
}
