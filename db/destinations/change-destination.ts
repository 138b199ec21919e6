import type { Knex } from 'knex';
import type { DestinationOrdering } from '../../contract/deliveries/status.ts';
import { queryRows } from '../core/query-rows.ts';
import { isSeenAsSql } from '../ledger/destinations/kept-urls.ts';

export interface DestinationChange {
  readonly channelId: number;
  /** Null for the webhook. */
  readonly subscriptionId: string | null;
  /** Optional. Undefined keeps the present one. */
  readonly ordering?: DestinationOrdering | undefined;
  /** Optional. Undefined keeps the present one. */
  readonly sendsTraceParent?: boolean | undefined;
}

/**
 * Also changes the earlier URLs that are kept for the destination. The change applies from the next claim on: without
 * ordering, held deliveries are sent immediately. Returns false if there is no such destination.
 */
export async function changeDestination(db: Knex, change: DestinationChange): Promise<boolean> {
  const { ordering = null, sendsTraceParent = null } = change;
  const changed = await queryRows(db, changeSql, { ...change, ordering, sendsTraceParent });
  return changed.length > 0;
}

const changeSql = `
with changed as (
  update destinations d set ordering = coalesce(cast(:ordering as text), ordering),
    sends_trace_parent = coalesce(cast(:sendsTraceParent as boolean), sends_trace_parent), updated_at = now()
  from (
    select c.destination_id from webhook_configs c
    where c.channel_id = :channelId and cast(:subscriptionId as text) is null
    union all
    select s.destination_id from subscriptions s where s.channel_id = :channelId and s.public_id = :subscriptionId
  ) named
  where ${isSeenAsSql('d', 'named.destination_id')} and d.deleted_at is null
  returning d.id
),
released as (
  insert into conversation_releases (destination_id) select id from changed where cast(:ordering as text) = 'none'
)
select id from changed`;
