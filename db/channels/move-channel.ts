import type { Knex } from 'knex';
import { cancelUnread } from '../listeners/listeners.ts';
import { insertCredential } from './connection-credentials.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

export interface ChannelMove {
  readonly channelId: number;
  readonly fromWorkspaceId: number;
  readonly toWorkspaceId: number;
}

interface HeldCredential {
  id: number;
  public_id: string;
  token_encrypted: string;
  expires_at: Date | null;
  is_shared: boolean;
}

/**
 * Moves a channel with its credential to another workspace, unless one of them has gone meanwhile. Events and
 * deliveries keep the workspace that they were accepted for: they are not touched, only the place to look at is noted. What
 * waits for a listener is cancelled, since nobody could read it there any more; what is being accepted meanwhile for the
 * old one is found and cancelled by `endVoidListenerDeliveries`, some seconds later.
 */
export async function moveChannel(
  trx: Knex,
  secretBox: SecretBox,
  move: ChannelMove,
): Promise<'moved' | 'no_workspace' | 'no_channel'> {
  const { channelId, fromWorkspaceId, toWorkspaceId } = move;
  // Shared: neither can be deleted meanwhile. Before the channel, as deletion does, which would deadlock otherwise.
  const { rows: live } = await trx.raw<{ rows: { id: number }[] }>(
    'select id from workspaces where id in (?, ?) and deleted_at is null order by id for share',
    [fromWorkspaceId, toWorkspaceId],
  );
  if (!live.some(({ id }) => id === toWorkspaceId)) return 'no_workspace';
  if (!live.some(({ id }) => id === fromWorkspaceId)) return 'no_channel';
  const { rows: channels } = await trx.raw<{ rows: { credential_id: number }[] }>(
    'select credential_id from channels where id = ? and workspace_id = ? for no key update',
    [channelId, fromWorkspaceId],
  );
  const [channel] = channels;
  if (!channel) return 'no_channel';
  const credentialId = await moveCredential(trx, secretBox, { ...move, credentialId: channel.credential_id });
  await trx('channels')
    .where({ id: channelId })
    .update({ workspace_id: toWorkspaceId, credential_id: credentialId, updated_at: trx.fn.now() });
  await cancelUnread(trx, channelId);
  await trx('channel_moves')
    .insert({ channel_id: channelId, from_workspace_id: fromWorkspaceId })
    .onConflict(['from_workspace_id', 'channel_id'])
    .ignore();
  return 'moved';
}

/** A credential that other channels are connected with stays with them, and the moved channel gets a copy. */
async function moveCredential(
  trx: Knex,
  secretBox: SecretBox,
  { credentialId, channelId, toWorkspaceId }: ChannelMove & { readonly credentialId: number },
): Promise<number> {
  const { rows } = await trx.raw<{ rows: HeldCredential[] }>(
    `select id, public_id, token_encrypted, expires_at,
       exists (select from channels c where c.credential_id = k.id and c.id <> ?) as is_shared
     from connection_credentials k where id = ? for no key update`,
    [channelId, credentialId],
  );
  const [credential] = rows;
  if (!credential) throw new Error(`Channel ${channelId} has no credential`);
  if (!credential.is_shared) {
    await trx('connection_credentials').where({ id: credential.id }).update({ workspace_id: toWorkspaceId });
    return credential.id;
  }
  const token = secretBox.open(credential.token_encrypted, sealedContexts.credentialToken(credential.public_id));
  const expiresAt = credential.expires_at;
  const copy = { workspaceId: toWorkspaceId, token, ...(expiresAt && { expiresAt }) };
  return (await insertCredential(trx, secretBox, copy)).id;
}
