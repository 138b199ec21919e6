import type { PumpReport } from '../../../contract/deliveries/pump-report.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { presentIdSql } from './kept-urls.ts';

export type PumpStanding = Pick<PumpReport, 'destinationCount' | 'oldestWaitSeconds' | 'troubledCount' | 'troubled'>;

const MAX_TROUBLED = 10;

/** Returns what the ledger knows of the shards that a worker serves. */
export async function readPumpStanding(pool: HotPool, shards: readonly number[]): Promise<PumpStanding> {
  const { rows } = await pool.query<PumpStanding>({
    name: 'read-pump-standing',
    text: standingSql,
    values: [shards, MAX_TROUBLED],
  });
  return rows[0]!;
}

/**
 * The lowest id is a destination's oldest delivery, except after a restart. As in the metric of the backlog, a
 * destination with a rate counts as paused, and the window of a debounced one does not count. `offset 0` makes PostgreSQL
 * look up each busy destination by its id, instead of comparing all destinations with all busy ones.
 */
const standingSql = `
with recursive
busy (shard, destination_id, id, since) as (
  select oldest.* from unnest($1::int[]) as served (shard) cross join lateral (
    select d.shard, d.destination_id, d.id, coalesce(d.restarted_at, d.created_at) from deliveries d
    where d.status = 'pending' and d.shard = served.shard
    order by d.destination_id, d.id limit 1) oldest
  union all
  select next.* from busy b cross join lateral (
    select d.shard, d.destination_id, d.id, coalesce(d.restarted_at, d.created_at) from deliveries d
    where d.status = 'pending' and d.shard = b.shard and d.destination_id > b.destination_id
    order by d.destination_id, d.id limit 1) next
),
longest_open as (
  select d.id, d.channel_id, d.type, d.kept_for, d.circuit_opened_at from destinations d
  where d.circuit = 'open' and d.shard = any ($1::int[])
  order by d.circuit_opened_at, d.id limit $2
)
select
  (select count(*)::int from destinations where shard = any ($1::int[]) and deleted_at is null) as "destinationCount",
  (select round(coalesce(greatest(extract(epoch from now() - min(b.since
     + coalesce((dest.options #>> '{debounce,seconds}')::int, 0) * interval '1 second')), 0), 0))::int
   from busy b cross join lateral (
     select d.options, d.circuit from destinations d where d.id = b.destination_id offset 0) dest
   where dest.circuit = 'closed' and dest.options -> 'requestsPerSecond' is null
     and dest.options -> 'concurrency' is null) as "oldestWaitSeconds",
  (select count(*)::int from destinations where circuit = 'open' and shard = any ($1::int[])) as "troubledCount",
  (select coalesce(json_agg(json_build_object(
     'channelId', c.public_id, 'destination', coalesce(s.public_id, dest.type))
     order by dest.circuit_opened_at, dest.id), '[]')
   from longest_open dest join channels c on c.id = dest.channel_id
   left join subscriptions s on s.destination_id = ${presentIdSql('dest')}) as troubled`;
