import type { Knex } from 'knex';
import type { DeliveryState } from '../../contract/channels/delivery-state.ts';
import type { CircuitReason } from '../../contract/destinations/circuit.ts';
import type { OverdueReason } from '../../contract/destinations/overdue.ts';
import type { DisabledReason } from '../../contract/destinations/pending-deliveries.ts';
import { queryRows } from '../core/query-rows.ts';
import { isNotSettlingSql } from '../ledger/destinations/not-settling.ts';
import { overdueReasonSql, overdueSinceSql } from '../ledger/destinations/overdue.ts';
import { receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

/** The state of the destination of a channel that needs attention most. */
export interface ChannelDelivery {
  readonly channelId: number;
  readonly state: DeliveryState;
  readonly reason: DisabledReason | CircuitReason | OverdueReason | null;
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

/** A destination that a user disabled comes last of those in trouble: the user knows. */
const statesSql = `
select distinct on (d.channel_id) d.channel_id as "channelId", ranked.state,
  case ranked.state when 'disabled' then coalesce(d.disabled_reason, 'by_hand') when 'circuit_open' then d.circuit_reason
    when 'overdue' then ${overdueReasonSql('d')}
  end as reason,
  s.public_id as "subscriptionPublicId",
  case ranked.state when 'not_settling' then d.not_settling_since when 'circuit_open' then d.circuit_opened_at
    when 'overdue' then overdue.since when 'ok' then null else d.failing_since end as since
from destinations d
cross join lateral (select ${overdueSinceSql('d')} as since) overdue
cross join lateral (select case
    when not d.enabled then 'disabled'
    when ${isNotSettlingSql('d')} then 'not_settling'
    when d.circuit = 'open' then 'circuit_open'
    when overdue.since is not null then 'overdue'
    when d.failing_since is not null then 'failing'
    else 'ok'
  end as state) ranked
left join subscriptions s on s.destination_id = d.id
where d.channel_id = any (cast(:channelIds as bigint[])) and ${receivesEventsSql('d')}
  and d.type <> 'listener'
order by d.channel_id, case
    when ranked.state = 'disabled' and d.disabled_reason in ('gone', 'failing') then 0
    when ranked.state = 'not_settling' then 1
    when ranked.state = 'circuit_open' then 2
    when ranked.state = 'overdue' then 3
    when ranked.state = 'failing' then 4
    when ranked.state = 'disabled' then 5
    else 6
  end, d.type <> 'webhook', d.id`;
