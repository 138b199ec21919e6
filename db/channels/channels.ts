import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { revokeChannelTokens } from './tokens.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { type EndedDeliveries, endWaitingDeliveries } from '../ledger/end-waiting-deliveries.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { insertWebhookSecret } from '../webhooks/secrets.ts';

export interface NewChannel {
  readonly workspaceId: number;
  readonly credentialId: number;
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly displayName: string;
  /** How it was connected. */
  readonly connectionType: string;
}

/** Connects a channel and draws its webhook secret; the database refuses an account that is a live channel already. */
export async function insertChannel(
  db: Knex,
  secretBox: SecretBox,
  channel: NewChannel,
): Promise<{ id: number; publicId: string }> {
  return await db.transaction(async (trx) => {
    const inserted = await withFreshId('channel', async (publicId) => {
      const { rows } = await trx.raw<{ rows: { id: number }[] }>(
        `insert into channels
           (public_id, workspace_id, credential_id, type, resource_id, display_name, connection_type)
         values (?, ?, ?, ?, ?, ?, ?) on conflict (public_id) do nothing returning id`,
        [
          publicId,
          channel.workspaceId,
          channel.credentialId,
          channel.type,
          channel.resourceId,
          channel.displayName,
          channel.connectionType,
        ],
      );
      return rows[0] && { id: rows[0].id, publicId };
    });
    await insertWebhookSecret(trx, secretBox, { channelId: inserted.id, channelPublicId: inserted.publicId });
    return inserted;
  });
}

/** The live channel of a platform account; undefined where it is none. */
export async function findLiveChannel(
  db: Knex,
  { type, resourceId }: { type: ChannelType; resourceId: string },
): Promise<{ id: number; publicId: string } | undefined> {
  const row = await db<{
    id: number;
    public_id: string;
    type: ChannelType;
    resource_id: string;
    disconnected_at: Date | null;
  }>('channels')
    .where({ type, resource_id: resourceId })
    .whereNull('disconnected_at')
    .first('id', 'public_id');
  return row && { id: row.id, publicId: row.public_id };
}

/** A channel that somebody acts on, and who does. */
export interface ChannelAct {
  readonly id: number;
  readonly publicId: string;
  readonly audit: AuditContext;
}

/** Turns forwarding on; false when the channel is disconnected. Nothing old is sent. */
export async function enableForwarding(db: Knex, { id, publicId, audit }: ChannelAct): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const changed = await trx('channels')
      .where({ id, forwarding_enabled: false })
      .whereNull('disconnected_at')
      .update({ forwarding_enabled: true, updated_at: trx.fn.now() });
    if (changed === 1) await recordAudit(trx, { ...audit, action: 'channel.enabled', targetId: publicId });
    return (await trx('channels').where({ id }).whereNull('disconnected_at').first('id')) !== undefined;
  });
}

/** Turns forwarding off and skips what waits. */
export async function disableForwarding(db: Knex, { id, publicId, audit }: ChannelAct): Promise<EndedDeliveries> {
  return await ledgerTransaction(db, async (trx) => {
    const changed = await trx('channels')
      .where({ id, forwarding_enabled: true })
      .update({ forwarding_enabled: false, updated_at: trx.fn.now() });
    if (changed === 1) await recordAudit(trx, { ...audit, action: 'channel.disabled', targetId: publicId });
    return await endWaitingDeliveries(trx, {
      channelId: id,
      end: { status: 'skipped', reason: 'forwarding_disabled' },
    });
  });
}

/** Disconnects the channel, ends its tokens and cancels what waits. */
export async function disconnectChannel(db: Knex, act: ChannelAct): Promise<EndedDeliveries> {
  return await ledgerTransaction(db, (trx) => disconnectWithin(trx, { ...act, reason: null }));
}

async function disconnectWithin(
  trx: Knex,
  { id, publicId, audit, reason }: ChannelAct & { readonly reason: string | null },
): Promise<EndedDeliveries> {
  const changed = await trx('channels')
    .where({ id })
    .whereNull('disconnected_at')
    .update({ disconnected_at: trx.fn.now(), disconnected_reason: reason, updated_at: trx.fn.now() });
  if (changed === 1) await recordAudit(trx, { ...audit, action: 'channel.disconnected', targetId: publicId, reason });
  await revokeChannelTokens(trx, id);
  return await endWaitingDeliveries(trx, { channelId: id, end: { status: 'cancelled' } });
}

/** A channel whose credential the platform no longer takes. */
export interface DeadCredential {
  readonly channelId: number;
  /** What the channel's owners are told. */
  readonly reason: string;
  /** The token that was refused: a channel that has another by now is left alone. */
  readonly refused?: { readonly secretBox: SecretBox; readonly token: string };
}

/** Disconnects a channel for want of a credential, by the service itself; one that is disconnected stays as it is. */
export async function disconnectForCredential(
  db: Knex,
  { channelId, reason, refused }: DeadCredential,
): Promise<EndedDeliveries> {
  return await ledgerTransaction(db, async (trx) => {
    const [holder] = await lockHolders(trx, { channelId });
    if (!holder) return { retrying: [] };
    const context = sealedContexts.credentialToken(holder.credential_public_id);
    if (refused && refused.secretBox.open(holder.token_encrypted, context) !== refused.token) return { retrying: [] };
    return await disconnectHolder(trx, holder, reason);
  });
}

/** Disconnects all channels that are connected with a credential. */
export async function disconnectCredential(
  db: Knex,
  { credentialId, reason }: { readonly credentialId: string; readonly reason: string },
): Promise<{ readonly channelIds: readonly string[] }> {
  return await ledgerTransaction(db, async (trx) => {
    const holders = await lockHolders(trx, { credentialId });
    for (const holder of holders) await disconnectHolder(trx, holder, reason);
    return { channelIds: holders.map((holder) => holder.public_id) };
  });
}

interface CredentialHolder {
  id: number;
  public_id: string;
  workspace_id: number;
  organization_id: number;
  credential_public_id: string;
  token_encrypted: string;
}

async function disconnectHolder(trx: Knex, holder: CredentialHolder, reason: string): Promise<EndedDeliveries> {
  const audit: AuditContext = {
    organizationId: holder.organization_id,
    workspaceId: holder.workspace_id,
    actor: { type: 'system', id: 'credential-check' },
  };
  return await disconnectWithin(trx, { id: holder.id, publicId: holder.public_id, audit, reason });
}

async function lockHolders(
  trx: Knex,
  of: { readonly channelId: number } | { readonly credentialId: string },
): Promise<CredentialHolder[]> {
  const { rows } = await trx.raw<{ rows: CredentialHolder[] }>(
    `select c.id, c.public_id, c.workspace_id, w.organization_id, k.public_id as credential_public_id, k.token_encrypted
     from channels c join workspaces w on w.id = c.workspace_id join connection_credentials k on k.id = c.credential_id
     where ${'channelId' in of ? 'c.id = ?' : 'k.public_id = ?'} and c.disconnected_at is null
     order by c.id for no key update of c`,
    ['channelId' in of ? of.channelId : of.credentialId],
  );
  return rows;
}
