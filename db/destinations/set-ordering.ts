import type { Knex } from 'knex';
import type { DestinationOrdering } from '../../contract/deliveries/status.ts';
import { queryRows } from '../core/query-rows.ts';

export interface OrderingChange {
  readonly channelId: number;
  /** Null for the webhook. */
  readonly subscriptionId: string | null;
  readonly ordering: DestinationOrdering;
}

/**
 * Also sets the ordering of the earlier URLs that are kept for the destination. It applies from the next claim on:
 * without ordering, held deliveries are sent immediately.
 */
export async function setOrdering(db: Knex, change: OrderingChange): Promise<boolean> {
  const changed = await queryRows(db, setOrderingSql, { ...change });
  return changed.length > 0;
}

const setOrderingSql = `
with changed as (
  update destinations d set ordering = :ordering, updated_at = now()
  from (
    select c.destination_id from webhook_configs c
    where c.channel_id = :channelId and cast(:subscriptionId as text) is null
    union all
    select s.destination_id from subscriptions s where s.channel_id = :channelId and s.public_id = :subscriptionId
  ) named
  where (d.id = named.destination_id or d.kept_for = named.destination_id) and d.deleted_at is null
  returning d.id
),
released as (
  insert into conversation_releases (destination_id) select id from changed where cast(:ordering as text) = 'none'
)
select id from changed`;
