import type { Knex } from 'knex';
import type { ChannelEventType } from '../../contract/event-types.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { type Columns, insertWithFreshId, listAfter, type PageAfter } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { commitDestination, deleteDestination } from '../ledger/destinations/destinations.ts';
import { type EndedDeliveries, endVoidWorkflows } from '../ledger/end-void-deliveries.ts';
import { ChannelModel } from '../models/channel.ts';
import { DestinationModel } from '../models/destination.ts';
import { SubscriptionModel } from '../models/subscription.ts';
import { receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

export interface Subscription extends Columns<
  DestinationModel,
  'id' | 'label' | 'enabled' | 'disabledReason' | 'createdAt' | 'lastDeliveredAt' | 'lastFailureAt'
> {
  readonly publicId: string;
  readonly destinationId: number;
  readonly url: string;
  readonly events: readonly ChannelEventType[];
}

export interface SubscriptionKey {
  readonly channelId: number;
  readonly publicId: string;
}

const columns = [
  ...['subscriptions.id', 'subscriptions.public_id', 'subscriptions.destination_id', 'subscriptions.created_at'],
  ...['destination.url', 'destination.event_types as events', 'destination.label', 'destination.enabled'],
  ...['destination.disabled_reason', 'destination.last_delivered_at', 'destination.last_failure_at'],
];

/** Returns undefined if the subscription is deleted or does not exist. */
export async function findSubscription(
  db: Knex,
  { channelId, publicId }: SubscriptionKey,
): Promise<Subscription | undefined> {
  return await SubscriptionModel.query(db)
    .joinRelated('destination')
    .select(columns)
    .findOne({ 'subscriptions.channel_id': channelId, 'subscriptions.public_id': publicId })
    .whereNull('destination.deleted_at')
    .castTo<Subscription | undefined>();
}

export async function listSubscriptions(
  db: Knex,
  { channelId, ...page }: PageAfter & { readonly channelId: number },
): Promise<Subscription[] | undefined> {
  const query = SubscriptionModel.query(db)
    .joinRelated('destination')
    .select(columns)
    .whereNull('destination.deleted_at');
  return await listAfter(query, { of: { 'subscriptions.channel_id': channelId }, ...page });
}

/** Ignores the earlier URLs that are kept for a subscription. */
export async function countSubscriptions(db: Knex, channelId: number): Promise<number> {
  return await DestinationModel.query(db)
    .where({ channel_id: channelId, type: 'subscription' })
    .whereRaw(receivesEventsSql('destinations'))
    .resultSize();
}

export interface NewSubscription {
  readonly channelId: number;
  readonly destinationId: number;
  readonly max: number;
  readonly audit: AuditContext;
}

/** Turns a staged destination into a subscription; undefined if the channel has the maximum. */
export async function commitSubscription(
  db: Knex,
  { channelId, destinationId, max, audit }: NewSubscription,
): Promise<string | undefined> {
  return await db.transaction(async (trx) => {
    // Serializes the count with other commits.
    await ChannelModel.query(trx).select('id').findById(channelId).forNoKeyUpdate();
    if ((await countSubscriptions(trx, channelId)) >= max) return undefined;
    await commitDestination(trx, destinationId);
    const { publicId } = await insertWithFreshId(trx, SubscriptionModel, {
      kind: 'subscription',
      values: { channelId, destinationId },
    });
    await recordAudit(trx, { ...audit, action: 'subscription.created', targetId: publicId });
    return publicId;
  });
}

/** Deletes a subscription, cancels its pending deliveries and overtakes an edit in progress. */
export async function deleteSubscription(
  db: Knex,
  { channelId, publicId, audit }: SubscriptionKey & { readonly audit: AuditContext },
): Promise<EndedDeliveries | undefined> {
  const destinationId = await ledgerTransaction(db, async (trx) => {
    const [subscription] = await queryRows<{ destinationId: number }>(
      trx,
      `update subscriptions s set revision = s.revision + 1 from destinations d
       where s.public_id = :publicId and s.channel_id = :channelId and d.id = s.destination_id and d.deleted_at is null
       returning s.destination_id as "destinationId"`,
      { publicId, channelId },
    );
    if (!subscription) return undefined;
    await deleteDestination(trx, subscription.destinationId, { reason: 'destination_deleted', actor: audit.actor });
    await recordAudit(trx, { ...audit, action: 'subscription.deleted', targetId: publicId });
    return subscription.destinationId;
  });
  return destinationId === undefined ? undefined : await endVoidWorkflows(db, { destinationId });
}
