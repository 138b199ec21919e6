import type { HotPool } from '../core/hot-pool.ts';
import { SHARD_COUNT } from '../../contract/deliveries/shards.ts';
import { MAX_WORKFLOWS_PER_DESTINATION } from '../../contract/deliveries/what-next.ts';
import { isNotSettlingSql } from '../ledger/destinations/not-settling.ts';
import { horizonAgeSql } from '../deliveries/horizon.ts';

export interface Backlog {
  readonly waiting: readonly { readonly status: 'pending' | 'retrying'; readonly count: number }[];
  /** 0 seconds if nothing waits. */
  readonly oldest: readonly {
    readonly status: 'pending' | 'retrying';
    readonly circuit: 'closed' | 'open';
    readonly seconds: number;
  }[];
  /** How long the most overdue retry with a closed circuit has been due. 0 if none is. */
  readonly overdueSeconds: number;
  readonly circuits: readonly { readonly reason: 'failures' | 'retry_after'; readonly count: number }[];
  /** Destinations whose attempts the ledger refuses to record. */
  readonly notSettlingCount: number;
  /** How long streams and listeners have waited for the oldest transaction of the database. */
  readonly horizonSeconds: number;
}

/** Counting a million index entries would take a second of every scrape. */
const MAX_COUNTED = 100_000;
/**
 * Of each shard. Retries behind an open circuit are late by design, and hide later ones of their shard beyond this number:
 * here those of four destinations with as many workflows as one may have.
 */
const MAX_EARLY_RETRIES = 4 * MAX_WORKFLOWS_PER_DESTINATION;

export async function readBacklog(pool: HotPool): Promise<Backlog> {
  const [waiting, oldest, overdue, circuits, notSettling, horizon] = await Promise.all([
    pool.query<Backlog['waiting'][number]>({ name: 'read-backlog', text: waitingSql }),
    pool.query<Backlog['oldest'][number]>({ name: 'read-oldest', text: oldestSql }),
    pool.query<{ seconds: number }>({ name: 'read-overdue', text: overdueSql }),
    pool.query<Backlog['circuits'][number]>({ name: 'read-open-circuits', text: circuitsSql }),
    pool.query<{ count: number }>({ name: 'read-not-settling', text: notSettlingSql }),
    pool.query<{ seconds: number }>({ name: 'read-horizon-age', text: horizonAgeSql }),
  ]);
  return {
    waiting: waiting.rows,
    oldest: oldest.rows,
    overdueSeconds: overdue.rows[0]!.seconds,
    circuits: circuits.rows,
    notSettlingCount: notSettling.rows[0]!.count,
    horizonSeconds: horizon.rows[0]!.seconds,
  };
}

const shards = `generate_series(0, ${SHARD_COUNT - 1}) as s (shard)`;

/** Looks up each shard in an index, until enough are counted. Even without statistics, no plan reads the others. */
const waitingSql = `
select 'pending' as status, (select count(*) from (
  select from ${shards} cross join lateral (
    select from deliveries d where d.shard = s.shard and d.status = 'pending' limit ${MAX_COUNTED}) one
  limit ${MAX_COUNTED}) n)::int as count
union all
select 'retrying', (select count(*) from (
  select from ${shards} cross join lateral (
    select from deliveries d where d.shard = s.shard and d.status = 'retrying' limit ${MAX_COUNTED}) one
  limit ${MAX_COUNTED}) n)::int`;

/**
 * The lowest id is a destination's oldest delivery, except after a restart. Excludes listeners, whose deliveries wait
 * for a reader. A destination with a rate counts as paused: its deliveries wait because its owner wants it. The window of a
 * debounced one does not count.
 */
const oldestSql = `
with recursive
busy_pending (shard, destination_id, id) as (
  (select shard, destination_id, id from deliveries where status = 'pending' and shard >= 0 order by shard, destination_id, id limit 1)
  union all
  select next.* from busy_pending b cross join lateral (
    select d.shard, d.destination_id, d.id from deliveries d
    where d.status = 'pending' and (d.shard, d.destination_id) > (b.shard, b.destination_id)
    order by d.shard, d.destination_id, d.id limit 1) next
),
busy_retrying (destination_id, id) as (
  (select destination_id, id from deliveries where status = 'retrying' order by destination_id, id limit 1)
  union all
  select next.* from busy_retrying b cross join lateral (
    select d.destination_id, d.id from deliveries d
    where d.status = 'retrying' and d.destination_id > b.destination_id
    order by d.destination_id, d.id limit 1) next
),
oldest as (
  select d.status, paused.circuit,
    extract(epoch from now() - min(coalesce(d.restarted_at, d.created_at)
      + coalesce((dest.options #>> '{debounce,seconds}')::int, 0) * interval '1 second'))::float8 as seconds
  from deliveries d join destinations dest on dest.id = d.destination_id
  cross join lateral (select case when dest.options -> 'requestsPerSecond' is not null
    or dest.options -> 'concurrency' is not null then 'open' else dest.circuit end as circuit) paused
  where d.id in (select id from busy_pending union all select id from busy_retrying)
    and d.status in ('pending', 'retrying')
  group by d.status, paused.circuit
)
select kind.status, kind.circuit, greatest(coalesce(oldest.seconds, 0), 0) as seconds
from (values ('pending', 'closed'), ('pending', 'open'), ('retrying', 'closed'), ('retrying', 'open'))
  as kind (status, circuit)
left join oldest on oldest.status = kind.status and oldest.circuit = kind.circuit`;

const overdueSql = `
select coalesce(max(extract(epoch from now() - first.next_attempt_at)), 0)::float8 as seconds
from ${shards} cross join lateral (
  select early.next_attempt_at
  from (select d.next_attempt_at, d.destination_id from deliveries d
        where d.shard = s.shard and d.status = 'retrying' and d.next_attempt_at < now()
        order by d.next_attempt_at limit ${MAX_EARLY_RETRIES}) early
  join destinations dest on dest.id = early.destination_id and dest.circuit = 'closed'
  order by early.next_attempt_at limit 1) first`;

const circuitsSql = `
select r.reason, (select count(*) from destinations d where d.circuit = 'open' and d.circuit_reason = r.reason)::int as count
from (values ('failures'), ('retry_after')) as r (reason) order by r.reason`;

const notSettlingSql = `
select count(*)::int as count from destinations d where ${isNotSettlingSql('d')} and d.deleted_at is null`;
