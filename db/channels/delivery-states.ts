import type { Knex } from 'knex';
import type { DeliveryState } from '../../contract/channels/delivery-state.ts';
import { queryRows } from '../core/query-rows.ts';
import { destinationStateSql, type StateReason } from '../destinations/destination-state.ts';
import { receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

/** The state of the destination of a channel that needs attention most. */
export interface ChannelDelivery {
  readonly channelId: number;
  readonly state: DeliveryState;
  readonly reason: StateReason | null;
  /** Null for the webhook. */
  readonly subscriptionPublicId: string | null;
  readonly since: Date | null;
}

/**
 * Returns one row for each channel that has a webhook or a subscription. Without listeners, which are read, and without
 * previous URLs, which end by themselves.
 */
export async function readDeliveryStates(
  db: Knex,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, ChannelDelivery>> {
  if (channelIds.length === 0) return new Map();
  const rows = await queryRows<ChannelDelivery>(db, statesSql, { channelIds });
  return new Map(rows.map((row) => [row.channelId, row]));
}

const statesSql = `
select distinct on (d.channel_id) d.channel_id as "channelId", ranked.state, ranked.reason,
  s.public_id as "subscriptionPublicId", ranked.since
from destinations d
${destinationStateSql}
left join subscriptions s on s.destination_id = d.id
where d.channel_id = any (cast(:channelIds as bigint[])) and ${receivesEventsSql('d')}
  and d.type <> 'listener'
order by d.channel_id, ranked.urgency, d.type <> 'webhook', d.id`;
