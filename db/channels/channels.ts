import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ChannelType } from '../../contract/event-types.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { insertWithFreshId, type Columns } from '../core/model.ts';
import { notifyChannelChanged } from '../core/notify-changed.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { type EndedDeliveries, endVoidBeforeUse, endVoidWorkflows } from '../ledger/end-void-deliveries.ts';
import { cancellationRecord } from '../ledger/transitions/cancellation-sql.ts';
import { ChannelModel } from '../models/channel.ts';
import { insertWebhookConfig } from '../webhooks/configs.ts';
import { planDefaultOfChannel } from '../webhooks/rollouts.ts';
import { insertWebhookSecret } from '../webhooks/secrets.ts';
import { requestHealthCheck } from './health-checks.ts';
import { revokeChannelTokens } from './tokens.ts';

export interface NewChannel extends Columns<
  ChannelModel,
  'workspaceId' | 'credentialId' | 'type' | 'resourceId' | 'displayName' | 'connectionType'
> {
  /** Optional. Of a number. Default: the first health check finds it. */
  readonly businessAccountId?: string | null;
}

/** A unique index prevents a second live channel for an account. The channel gets the default webhook soon. */
export async function insertChannel(
  db: Knex,
  secretBox: SecretBox,
  channel: NewChannel,
): Promise<{ id: number; publicId: string }> {
  return await db.transaction(async (trx) => {
    const { id, publicId } = await insertWithFreshId(trx, ChannelModel, {
      kind: 'channel',
      values: {
        workspaceId: channel.workspaceId,
        credentialId: channel.credentialId,
        type: channel.type,
        resourceId: channel.resourceId,
        displayName: channel.displayName,
        connectionType: channel.connectionType,
      },
    });
    const key = { channelId: id, channelPublicId: publicId };
    await insertWebhookSecret(trx, secretBox, key);
    await insertWebhookConfig(trx, secretBox, key);
    await requestHealthCheck(trx, { channelId: id, businessAccountId: channel.businessAccountId });
    await planDefaultOfChannel(trx, { channelId: id, workspaceId: channel.workspaceId });
    return { id, publicId };
  });
}

export async function findLiveChannel(
  db: Knex,
  { type, resourceId }: { type: ChannelType; resourceId: string },
): Promise<{ id: number; publicId: string } | undefined> {
  return await ChannelModel.query(db)
    .select('id', 'public_id')
    .findOne({ type, resource_id: resourceId })
    .whereNull('disconnected_at');
}

export interface ChannelAct {
  readonly id: number;
  readonly publicId: string;
  readonly audit: AuditContext;
}

/** Returns false if the channel is disconnected. Earlier events are not delivered. */
export async function enableForwarding(db: Knex, { id, publicId, audit }: ChannelAct): Promise<boolean> {
  return await ledgerTransaction(db, async (trx) => {
    await endVoidBeforeUse(trx, { channelId: id });
    const changedCount = await ChannelModel.query(trx)
      .where({ id, forwarding_enabled: false })
      .whereNull('disconnected_at')
      .patch({ forwardingEnabled: true, updatedAt: raw('now()') });
    if (changedCount === 1) await recordAudit(trx, { ...audit, action: 'channel.enabled', targetId: publicId });
    return (await ChannelModel.query(trx).select('id').findById(id).whereNull('disconnected_at')) !== undefined;
  });
}

/** Skips pending deliveries. */
export async function disableForwarding(db: Knex, { id, publicId, audit }: ChannelAct): Promise<EndedDeliveries> {
  await db.transaction(async (trx) => {
    const changedCount = await ChannelModel.query(trx)
      .where({ id, forwarding_enabled: true })
      .patch({ forwardingEnabled: false, updatedAt: raw('now()') });
    if (changedCount === 1) await recordAudit(trx, { ...audit, action: 'channel.disabled', targetId: publicId });
    await notifyChannelChanged(trx, id);
  });
  return await endVoidWorkflows(db, { channelId: id });
}

/** Also revokes the channel's tokens and cancels its pending deliveries. */
export async function disconnectChannel(db: Knex, act: ChannelAct): Promise<EndedDeliveries> {
  await db.transaction((trx) => disconnectWithin(trx, act));
  return await endVoidWorkflows(db, { channelId: act.id });
}

/** The caller must end the channel's workflows after the commit. */
export async function disconnectWithin(trx: Knex, { id, publicId, audit }: ChannelAct): Promise<void> {
  const changedCount = await ChannelModel.query(trx)
    .findById(id)
    .whereNull('disconnected_at')
    .patch({
      disconnectedAt: raw('now()'),
      cancellation: raw('?', cancellationRecord({ reason: 'channel_disconnected', actor: audit.actor })),
      updatedAt: raw('now()'),
    });
  if (changedCount === 1) await recordAudit(trx, { ...audit, action: 'channel.disconnected', targetId: publicId });
  await notifyChannelChanged(trx, id);
  await revokeChannelTokens(trx, id);
}
