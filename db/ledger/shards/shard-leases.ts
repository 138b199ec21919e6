import type { HotPool } from '../../core/hot-pool.ts';

/** How long a worker may act without renewing its leases. */
export const LEASE_MS = 3_000;

/** In the deliveries' notifications: workers share the shards again. */
export const LEASES_CHANGED = -2;

export interface HeldLease {
  readonly shard: number;
  readonly fence: number;
}

/** Whether a worker that was last seen at this time is live. Its leases are valid as long as it is. */
export const isLiveSql = (seenAt: string): string =>
  `(${seenAt} > clock_timestamp() - ${LEASE_MS} * interval '1 millisecond')`;

/**
 * Acquires those of the shards that are free, and returns their fences. Increments each fence, so that failures settled
 * under an older one change no delivery.
 */
export async function acquireLeases(
  pool: HotPool,
  { shards, holder }: { shards: readonly number[]; holder: string },
): Promise<ReadonlyMap<number, number>> {
  if (shards.length === 0) return new Map();
  const { rows } = await pool.query<HeldLease>({ name: 'acquire-leases', text: acquireSql, values: [shards, holder] });
  return fencesOf(rows);
}

/**
 * A renewal under way ends before the lock on its worker's row, and the shard is not free, or begins after it and finds
 * the lease gone. If another worker has acquired the lease meanwhile, its fence is not the one that was read.
 */
const acquireSql = `
with holding as materialized (
  select w.holder, w.seen_at from workers w
  where w.holder in (select l.holder from shard_leases l where l.shard = any ($1::smallint[]) and l.holder <> $2)
  order by w.holder for update
)
insert into shard_leases as lease (shard, holder, fence, acquired_at)
select wanted.shard, $2, coalesce(known.fence, 0) + 1, clock_timestamp()
from (select count(*) from holding) locked
cross join unnest($1::smallint[]) as wanted (shard)
left join shard_leases known on known.shard = wanted.shard
where not exists (select from holding h where h.holder = known.holder and ${isLiveSql('h.seen_at')})
order by wanted.shard -- so that workers cannot deadlock
on conflict (shard) do update
  set holder = excluded.holder, fence = excluded.fence, acquired_at = excluded.acquired_at, released_at = null
  where lease.fence = excluded.fence - 1
returning shard, fence`;

/**
 * Renews all leases of a worker by saying that it is alive. Returns false if the worker has left the fleet, or was
 * forgotten, so that others may take its shards at any time. Which leases it has must be read afterwards: another worker
 * may have acquired some while the statement waited for its lock.
 */
export async function renewLeases(pool: HotPool, holder: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'renew-leases',
    text: 'update workers set seen_at = clock_timestamp() where holder = $1',
    values: [holder],
  });
  return rowCount !== 0;
}

export const fencesOf = (leases: readonly HeldLease[]): Map<number, number> =>
  new Map(leases.map(({ shard, fence }) => [shard, fence]));

/** Longer than a round of upkeep should take. The tasks are safe to run twice, so the lease has no fence. */
const LEADER_LEASE_MS = 15_000;

/** Acquires or renews. Returns whether the holder is the leader. */
export async function leads(pool: HotPool, { name, holder }: { name: string; holder: string }): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'lead',
    text: `insert into leader_leases as lease (name, holder, expires_at)
           values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
           on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
             where lease.expires_at <= clock_timestamp() or lease.holder = excluded.holder`,
    values: [name, holder, LEADER_LEASE_MS],
  });
  return rowCount === 1;
}

export async function endLead(pool: HotPool, { name, holder }: { name: string; holder: string }): Promise<void> {
  await pool.query('delete from leader_leases where name = $1 and holder = $2', [name, holder]);
}
