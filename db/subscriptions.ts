import type { Knex } from 'knex';
import type { ChannelEventType } from '../contract/event-types.ts';
import { type AuditContext, recordAudit } from './audit-entries.ts';
import { commitDestination } from './destinations.ts';
import { withFreshId } from './fresh-id.ts';

export interface Subscription {
  readonly publicId: string;
  readonly url: string;
  readonly events: readonly ChannelEventType[];
  readonly label: string | null;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly lastDeliveredAt: Date | null;
  readonly lastFailureAt: Date | null;
}

interface SubscriptionRow {
  public_id: string;
  created_at: Date;
  url: string;
  event_types: ChannelEventType[];
  label: string | null;
  enabled: boolean;
  last_delivered_at: Date | null;
  last_failure_at: Date | null;
}

/** One live subscription of the channel. */
export async function findSubscription(
  db: Knex,
  { channelId, publicId }: { channelId: number; publicId: string },
): Promise<Subscription | undefined> {
  const { rows } = await db.raw<{ rows: SubscriptionRow[] }>(
    `select s.public_id, s.created_at, d.url, d.event_types, d.label, d.enabled, d.last_delivered_at, d.last_failure_at
     from subscriptions s join destinations d on d.id = s.destination_id
     where s.public_id = ? and s.channel_id = ? and d.deleted_at is null`,
    [publicId, channelId],
  );
  return rows[0] && fromRow(rows[0]);
}

export async function countSubscriptions(db: Knex, channelId: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from destinations where channel_id = ? and type = 'subscription' and deleted_at is null`,
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

function fromRow(row: SubscriptionRow): Subscription {
  return {
    publicId: row.public_id,
    url: row.url,
    events: row.event_types,
    label: row.label,
    enabled: row.enabled,
    createdAt: row.created_at,
    lastDeliveredAt: row.last_delivered_at,
    lastFailureAt: row.last_failure_at,
  };
}
