import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import type { HeldLease } from './shards/shard-leases.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface ReleaseRequest {
  /** A shard occurs once, and is left out if its fence is outdated. */
  readonly leases: readonly HeldLease[];
  /** For all shards together. */
  readonly limit: number;
}

export interface ReleasedRetries {
  /** By shard. Shards without a released retry are omitted. */
  readonly counts: ReadonlyMap<number, number>;
  /** There may be more due retries. */
  readonly isCut: boolean;
  /** Until the next retry of the shards is due, by the clock of the database. Null without one. */
  readonly nextInMs: number | null;
}

/**
 * Makes due retries of the pump pending, so that the next claim sends them: in order, within the limits of their
 * destination, and not while its circuit is open.
 */
export async function releaseDueRetries(pool: HotPool, { leases, limit }: ReleaseRequest): Promise<ReleasedRetries> {
  if (leases.length === 0) return { counts: new Map(), isCut: false, nextInMs: null };
  const request = { shards: leases.map(({ shard }) => shard), fences: leases.map(({ fence }) => fence), limit };
  const { rows } = await pool.query<ShardRow>(statement(request));
  const counts = rows.flatMap(({ shard, count }) => (count > 0 ? [[shard, count] as const] : []));
  const waits = rows.flatMap(({ next_in_ms: ms }) => (ms === null ? [] : [ms]));
  return {
    counts: new Map(counts),
    isCut: counts.reduce((sum, [, count]) => sum + count, 0) >= limit,
    nextInMs: waits.length === 0 ? null : Math.min(...waits),
  };
}

interface ShardRow {
  shard: number;
  count: number;
  next_in_ms: number | null;
}

/** Locks no more rows than it moves: the outer limit ends the search. */
const statement = namedStatement<{ shards: readonly number[]; fences: readonly number[]; limit: number }>(
  'release-due-retries',
  `
with served as materialized (
  select l.shard
  from unnest(:shards::int[], :fences::bigint[]) as held (shard, fence)
  join shard_leases l on l.shard = held.shard and l.fence = held.fence
),
due as materialized (
  select d.id from served cross join lateral (
    select id from deliveries
    where shard = served.shard and status = 'retrying' and pump_retries and next_attempt_at <= now()
    order by next_attempt_at limit :limit for update skip locked
  ) d
  limit :limit
),
${moveDeliveriesSql({ source: 'due', id: 'due.id', transition: 'return', where: 'd.pump_retries', notify: 'released' })}
select served.shard, (select count(*)::int from moved where moved.shard = served.shard) as count, (
  select greatest(extract(epoch from next_attempt_at - now())::float8 * 1000, 0) from deliveries
  where shard = served.shard and status = 'retrying' and pump_retries and id not in (select id from due)
  order by next_attempt_at limit 1) as next_in_ms
from served where ${isNotified}`,
);
