import type { HotPool } from '../core/hot-pool.ts';
import { isNotSettlingSql } from '../ledger/destinations/not-settling.ts';
import { horizonAgeSql } from '../deliveries/horizon.ts';

export interface Backlog {
  readonly waiting: readonly {
    readonly shard: number;
    readonly status: 'pending' | 'retrying';
    readonly count: number;
  }[];
  /** 0 seconds if nothing waits. */
  readonly oldest: readonly {
    readonly shard: number;
    readonly status: 'pending' | 'retrying';
    readonly circuit: 'closed' | 'open';
    readonly seconds: number;
  }[];
  readonly overdue: readonly { readonly shard: number; readonly seconds: number }[];
  readonly circuits: readonly { readonly reason: 'failures' | 'retry_after'; readonly count: number }[];
  /** Destinations whose attempts the ledger refuses to record. */
  readonly notSettlingCount: number;
  /** How long streams and listeners have waited for the oldest transaction of the database. */
  readonly horizonSeconds: number;
}

/** Counting a million index entries would take a second of every scrape. */
const MAX_COUNTED = 100_000;

export async function readBacklog(pool: HotPool): Promise<Backlog> {
  const [waiting, oldest, overdue, circuits, notSettling, horizon] = await Promise.all([
    pool.query<Backlog['waiting'][number]>({ name: 'read-backlog', text: waitingSql, values: [MAX_COUNTED] }),
    pool.query<Backlog['oldest'][number]>({ name: 'read-oldest', text: oldestSql }),
    pool.query<Backlog['overdue'][number]>({ name: 'read-overdue', text: overdueSql }),
    pool.query<Backlog['circuits'][number]>({ name: 'read-open-circuits', text: circuitsSql }),
    pool.query<{ count: number }>({ name: 'read-not-settling', text: notSettlingSql }),
    pool.query<{ seconds: number }>({ name: 'read-horizon-age', text: horizonAgeSql }),
  ]);
  return {
    waiting: waiting.rows,
    oldest: oldest.rows,
    overdue: overdue.rows,
    circuits: circuits.rows,
    notSettlingCount: notSettling.rows[0]!.count,
    horizonSeconds: horizon.rows[0]!.seconds,
  };
}

const shards = '(select generate_series(0, delivery_shards - 1) as shard from installation) s';

const waitingSql = `
select s.shard, 'pending' as status, (select count(*) from (
  select from deliveries d where d.shard = s.shard and d.status = 'pending' limit $1) n)::int as count
from ${shards}
union all
select s.shard, 'retrying', (select count(*) from (
  select from deliveries d where d.shard = s.shard and d.status = 'retrying' limit $1) n)::int
from ${shards}
order by shard, status`;

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
  select d.shard, d.status, paused.circuit,
    extract(epoch from now() - min(coalesce(d.restarted_at, d.created_at)
      + coalesce((dest.options #>> '{debounce,seconds}')::int, 0) * interval '1 second'))::float8 as seconds
  from deliveries d join destinations dest on dest.id = d.destination_id
  cross join lateral (select case when dest.options -> 'requestsPerSecond' is not null
    or dest.options -> 'concurrency' is not null then 'open' else dest.circuit end as circuit) paused
  where d.id in (select id from busy_pending union all select id from busy_retrying)
    and d.status in ('pending', 'retrying')
  group by d.shard, d.status, paused.circuit
)
select s.shard, kind.status, kind.circuit, greatest(coalesce(oldest.seconds, 0), 0) as seconds
from ${shards}
cross join (values ('pending', 'closed'), ('pending', 'open'), ('retrying', 'closed'), ('retrying', 'open'))
  as kind (status, circuit)
left join oldest on oldest.shard = s.shard and oldest.status = kind.status and oldest.circuit = kind.circuit
order by s.shard, kind.status, kind.circuit`;

/** Retries behind an open circuit are late by design. Checks only the 1000 earliest. */
const overdueSql = `
select s.shard, coalesce((
  select greatest(extract(epoch from now() - early.next_attempt_at), 0)::float8
  from (select d.next_attempt_at, d.destination_id from deliveries d
        where d.shard = s.shard and d.status = 'retrying' and d.next_attempt_at < now()
        order by d.next_attempt_at limit 1000) early
  join destinations dest on dest.id = early.destination_id and dest.circuit = 'closed'
  order by early.next_attempt_at limit 1), 0) as seconds
from ${shards} order by s.shard`;

const circuitsSql = `
select r.reason, (select count(*) from destinations d where d.circuit = 'open' and d.circuit_reason = r.reason)::int as count
from (values ('failures'), ('retry_after')) as r (reason) order by r.reason`;

const notSettlingSql = `
select count(*)::int as count from destinations d where ${isNotSettlingSql('d')} and d.deleted_at is null`;
