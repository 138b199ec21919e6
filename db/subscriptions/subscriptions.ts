import type { Knex } from 'knex';
import type { ChannelEventType } from '../../contract/event-types.ts';
import type { DisabledReason } from '../../contract/destinations/pending-deliveries.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { commitDestination, deleteDestination } from '../ledger/destinations/destinations.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { type EndedDeliveries, endWaitingDeliveries } from '../ledger/end-waiting-deliveries.ts';

export interface Subscription {
  readonly id: number;
  readonly publicId: string;
  readonly destinationId: number;
  readonly url: string;
  readonly events: readonly ChannelEventType[];
  readonly label: string | null;
  readonly enabled: boolean;
  /** Why it is disabled; null while it is not. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
  readonly lastDeliveredAt: Date | null;
  readonly lastFailureAt: Date | null;
}

interface SubscriptionRow {
  id: number;
  public_id: string;
  destination_id: number;
  created_at: Date;
  url: string;
  event_types: ChannelEventType[];
  label: string | null;
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  last_delivered_at: Date | null;
  last_failure_at: Date | null;
}

export interface SubscriptionKey {
  readonly channelId: number;
  readonly publicId: string;
}

const subscriptionSql = `
select s.id, s.public_id, s.destination_id, s.created_at, d.url, d.event_types, d.label, d.enabled, d.disabled_reason,
  d.last_delivered_at, d.last_failure_at
from subscriptions s join destinations d on d.id = s.destination_id
where s.channel_id = :channelId and d.deleted_at is null`;

/** One live subscription of the channel. */
export async function findSubscription(
  db: Knex,
  { channelId, publicId }: SubscriptionKey,
): Promise<Subscription | undefined> {
  const { rows } = await db.raw<{ rows: SubscriptionRow[] }>(`${subscriptionSql} and s.public_id = :publicId`, {
    channelId,
    publicId,
  });
  return rows[0] && fromRow(rows[0]);
}

/** The channel's live subscriptions, newest first; undefined when `after` names none that it has or had. */
export async function listSubscriptions(
  db: Knex,
  page: { readonly channelId: number; readonly after?: string | undefined; readonly limit: number },
): Promise<Subscription[] | undefined> {
  const last = page.after === undefined ? null : await findNumber(db, page.channelId, page.after);
  if (last === undefined) return undefined;
  const { rows } = await db.raw<{ rows: SubscriptionRow[] }>(
    `${subscriptionSql} and (cast(:last as bigint) is null or s.id < cast(:last as bigint))
     order by s.id desc limit :limit`,
    { channelId: page.channelId, last, limit: page.limit },
  );
  return rows.map(fromRow);
}

export async function countSubscriptions(db: Knex, channelId: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from destinations
     where channel_id = ? and type = 'subscription' and deleted_at is null and kept_for is null`,
    [channelId],
  );
  return rows[0]?.count ?? 0;
}

export interface NewSubscription {
  readonly channelId: number;
  readonly destinationId: number;
  /** How many the channel may have. */
  readonly max: number;
  readonly audit: AuditContext;
}

/** Makes a staged destination a live subscription; undefined when the channel has as many as it may have. */
export async function commitSubscription(
  db: Knex,
  { channelId, destinationId, max, audit }: NewSubscription,
): Promise<string | undefined> {
  return await db.transaction(async (trx) => {
    // The channel's row is the lock under which its subscriptions are counted.
    await trx.raw('select from channels where id = ? for no key update', [channelId]);
    if ((await countSubscriptions(trx, channelId)) >= max) return undefined;
    await commitDestination(trx, destinationId);
    const created = await withFreshId('subscription', async (publicId) => {
      const { rows } = await trx.raw<{ rows: { public_id: string }[] }>(
        `insert into subscriptions (public_id, channel_id, destination_id) values (?, ?, ?)
         on conflict (public_id) do nothing returning public_id`,
        [publicId, channelId, destinationId],
      );
      return rows[0]?.public_id;
    });
    await recordAudit(trx, { ...audit, action: 'subscription.created', targetId: created });
    return created;
  });
}

/** Deletes a subscription and cancels what waits for it; undefined where there is none. An edit under way is overtaken. */
export async function deleteSubscription(
  db: Knex,
  { channelId, publicId, audit }: SubscriptionKey & { readonly audit: AuditContext },
): Promise<EndedDeliveries | undefined> {
  return await ledgerTransaction(db, async (trx) => {
    const { rows } = await trx.raw<{ rows: { destination_id: number }[] }>(
      `update subscriptions s set revision = s.revision + 1 from destinations d
       where s.public_id = ? and s.channel_id = ? and d.id = s.destination_id and d.deleted_at is null
       returning s.destination_id`,
      [publicId, channelId],
    );
    const destinationId = rows[0]?.destination_id;
    if (destinationId === undefined) return undefined;
    const ended = await endWaitingDeliveries(trx, { channelId, destinationId, end: { status: 'cancelled' } });
    await deleteDestination(trx, destinationId);
    await recordAudit(trx, { ...audit, action: 'subscription.deleted', targetId: publicId });
    return ended;
  });
}

async function findNumber(db: Knex, channelId: number, publicId: string): Promise<number | undefined> {
  const row = await db<{ id: number; channel_id: number; public_id: string }>('subscriptions')
    .where({ channel_id: channelId, public_id: publicId })
    .first('id');
  return row?.id;
}

function fromRow(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    publicId: row.public_id,
    destinationId: row.destination_id,
    url: row.url,
    events: row.event_types,
    label: row.label,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    lastDeliveredAt: row.last_delivered_at,
    lastFailureAt: row.last_failure_at,
  };
}
