import type { Knex } from 'knex';
import { findChannelOfDeliveries } from '../../db/deliveries/list-delivery-records.ts';
import { NotFound } from '../requests/errors.ts';
import type { WorkspaceScope } from '../access/tenancy.ts';

/** Returns undefined for the whole workspace. */
export async function channelOfScope(
  db: Knex,
  workspace: WorkspaceScope,
  scope: string | undefined,
): Promise<number | undefined> {
  if (scope === undefined) return undefined;
  const [kind, publicId = ''] = scope.split(':');
  if (kind === 'workspace') {
    if (publicId !== workspace.publicId) throw new NotFound('WORKSPACE_NOT_FOUND');
    return undefined;
  }
  const channelId = await findChannelOfDeliveries(db, { workspaceId: workspace.id, publicId });
  if (channelId === undefined) throw new NotFound('CHANNEL_NOT_FOUND');
  return channelId;
}
