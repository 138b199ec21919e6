import { LISTENER_SHARD } from '../destinations/destinations.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { cancellationSql } from '../transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from '../transitions/move-deliveries-sql.ts';

const BATCH_SIZE = 2_000;

/** Skips between listeners by index. */
export const busyListenersSql = `
busy (destination_id) as (
  (select destination_id from deliveries where shard = ${LISTENER_SHARD} and status = 'pending'
   order by destination_id limit 1)
  union all
  select (select d.destination_id from deliveries d
          where d.shard = ${LISTENER_SHARD} and d.status = 'pending' and d.destination_id > busy.destination_id
          order by d.destination_id limit 1)
  from busy where busy.destination_id is not null
)`;

/**
 * Ends pending deliveries of a channel's previous workspace, which may no longer be read. Returns how many, up to the
 * size of a batch.
 */
export async function endLeftListenerDeliveries(
  pool: HotPool,
): Promise<{ readonly count: number; readonly isAll: boolean }> {
  const { rowCount } = await pool.query({
    name: 'end-left-listener-deliveries',
    text: endLeftSql,
    values: [BATCH_SIZE],
  });
  const count = rowCount ?? 0;
  return { count, isAll: count < BATCH_SIZE };
}

const workspaceAt = (end: 'asc' | 'desc'): string => `
(select d.workspace_id from deliveries d
 where d.shard = ${LISTENER_SHARD} and d.status = 'pending' and d.destination_id = dest.id
 order by d.workspace_id ${end} limit 1)`;

const leftIn = (workspaces: '<' | '>'): string => `
select d.id from relocated cross join lateral (
  select id from deliveries
  where shard = ${LISTENER_SHARD} and status = 'pending' and destination_id = relocated.id
    and workspace_id ${workspaces} relocated.workspace_id
  order by workspace_id, xid, id limit $1 for update skip locked
) d`;

const endLeftSql = `
with recursive ${busyListenersSql},
relocated as materialized (
  select dest.id, c.workspace_id
  from busy join destinations dest on dest.id = busy.destination_id join channels c on c.id = dest.channel_id
  where ${workspaceAt('asc')} < c.workspace_id or ${workspaceAt('desc')} > c.workspace_id
  order by dest.id for no key update of dest
),
waiting as materialized (
  select id from (${leftIn('<')} union all ${leftIn('>')}) d limit $1
),
${moveDeliveriesSql({
  source: 'waiting w',
  id: 'w.id',
  transition: 'cancel',
  from: ['pending'],
  cancellation: cancellationSql('channel_moved'),
  notify: 'released',
})}
select from moved where ${isNotified}`;
