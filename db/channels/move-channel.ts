import type { Knex } from 'knex';
import { raw } from 'objection';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelModel, ChannelMoveModel, ConnectionCredentialModel } from '../models/channel.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { insertCredential } from './credentials.ts';

export interface ChannelMove {
  readonly channelId: number;
  readonly fromWorkspaceId: number;
  readonly toWorkspaceId: number;
}

/**
 * Moves a channel with its credential. Events and deliveries stay in the old workspace, where the recorded move keeps
 * them findable. Pending listener deliveries are cancelled, because they can no longer be read;
 * `endLeftListenerDeliveries` cancels those accepted during the move.
 */
export async function moveChannel(
  trx: Knex,
  secretBox: SecretBox,
  move: ChannelMove,
): Promise<'moved' | 'no_workspace' | 'no_channel'> {
  const { channelId, fromWorkspaceId, toWorkspaceId } = move;
  // Prevents their deletion, which also locks workspaces before channels, so there is no deadlock.
  const live = await WorkspaceModel.query(trx)
    .select('id')
    .whereIn('id', [fromWorkspaceId, toWorkspaceId])
    .whereNull('deleted_at')
    .orderBy('id')
    .forShare();
  if (!live.some(({ id }) => id === toWorkspaceId)) return 'no_workspace';
  if (!live.some(({ id }) => id === fromWorkspaceId)) return 'no_channel';
  const channel = await ChannelModel.query(trx)
    .select('credential_id')
    .findOne({ id: channelId, workspace_id: fromWorkspaceId })
    .forNoKeyUpdate();
  if (!channel) return 'no_channel';
  const credentialId = await moveCredential(trx, secretBox, { ...move, credentialId: channel.credentialId });
  await ChannelModel.query(trx)
    .findById(channelId)
    // Events that are still to be sent on belong to the old workspace.
    .patch({ workspaceId: toWorkspaceId, credentialId, keptSince: null, updatedAt: raw('now()') });
  await ChannelMoveModel.query(trx)
    .insert({ channelId, fromWorkspaceId })
    .onConflict(['from_workspace_id', 'channel_id'])
    .ignore();
  return 'moved';
}

/** A shared credential stays, and the moved channel gets a copy. */
async function moveCredential(
  trx: Knex,
  secretBox: SecretBox,
  { credentialId, channelId, toWorkspaceId }: ChannelMove & { readonly credentialId: number },
): Promise<number> {
  const otherChannel = ChannelModel.query().where({ credential_id: credentialId }).whereNot({ id: channelId });
  const credential = await ConnectionCredentialModel.query(trx)
    .select('public_id', 'token_encrypted', 'expires_at', raw('exists ? as is_shared', [otherChannel]))
    .findById(credentialId)
    .forNoKeyUpdate()
    .castTo<(ConnectionCredentialModel & { readonly isShared: boolean }) | undefined>();
  if (!credential) throw new Error(`Channel ${channelId} has no credential`);
  const { publicId, tokenEncrypted, expiresAt, isShared } = credential;
  if (!isShared) {
    await ConnectionCredentialModel.query(trx).findById(credentialId).patch({ workspaceId: toWorkspaceId });
    return credentialId;
  }
  const token = secretBox.open(tokenEncrypted, sealedContexts.credentialToken(publicId));
  const copy = { workspaceId: toWorkspaceId, token, ...(expiresAt && { expiresAt }) };
  return (await insertCredential(trx, secretBox, copy)).id;
}
