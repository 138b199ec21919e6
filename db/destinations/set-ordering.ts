import type { Knex } from 'knex';
import type { DestinationOrdering } from '../../contract/deliveries/status.ts';

export interface OrderingChange {
  readonly channelId: number;
  /** Null for the webhook. */
  readonly subscriptionId: string | null;
  readonly ordering: DestinationOrdering;
}

/**
 * Sets how a live destination is ordered, and the old URLs that are kept for it; false where the channel has none. What
 * is claimed from then on goes by it: what was held back goes at once where there is no order any more.
 */
export async function setOrdering(db: Knex, { channelId, subscriptionId, ordering }: OrderingChange): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update destinations d set ordering = :ordering, updated_at = now()
     from (
       select c.destination_id from webhook_configs c where c.channel_id = :channelId and cast(:subscriptionId as text) is null
       union all
       select s.destination_id from subscriptions s where s.channel_id = :channelId and s.public_id = :subscriptionId
     ) named
     where (d.id = named.destination_id or d.kept_for = named.destination_id) and d.deleted_at is null
     returning d.id`,
    { channelId, subscriptionId, ordering },
  );
  return rows.length > 0;
}
