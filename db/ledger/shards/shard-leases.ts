import type { HotPool } from '../../core/hot-pool.ts';

/** How long a pump may act without renewing its lease. */
export const LEASE_MS = 3_000;

/** Workers subscribe to this pseudo-shard of the deliveries' notifications. It tells them that a lease is free. */
export const LEASES_CHANGED = -2;

export interface HeldLease {
  readonly shard: number;
  readonly fence: number;
}

/**
 * Acquires the free ones of the shards in one statement and returns their fences. Increments each fence, so that
 * failures settled under an older fence change no delivery.
 */
export async function acquireLeases(
  pool: HotPool,
  { shards, holder }: { shards: readonly number[]; holder: string },
): Promise<ReadonlyMap<number, number>> {
  if (shards.length === 0) return new Map();
  const { rows } = await pool.query<HeldLease>(
    `insert into shard_leases as lease (shard, holder, fence, acquired_at, expires_at)
     select shard, $2, 1, clock_timestamp(), clock_timestamp() + $3 * interval '1 millisecond'
     from unnest($1::smallint[]) as wanted (shard)
     order by shard -- so that workers cannot deadlock
     on conflict (shard) do update
       set holder = excluded.holder, fence = lease.fence + 1, acquired_at = excluded.acquired_at,
         expires_at = excluded.expires_at
       where lease.expires_at <= clock_timestamp() or lease.holder = excluded.holder
     returning shard, fence`,
    [shards, holder, LEASE_MS],
  );
  return new Map(rows.map(({ shard, fence }) => [shard, fence]));
}

/** Returns undefined while another holder has the lease. */
export async function acquireLease(
  pool: HotPool,
  { shard, holder }: { shard: number; holder: string },
): Promise<number | undefined> {
  return (await acquireLeases(pool, { shards: [shard], holder })).get(shard);
}

/** Renews in one statement and returns the shards whose lease the holder still has. */
export async function renewLeases(
  pool: HotPool,
  { holder, leases }: { holder: string; leases: readonly HeldLease[] },
): Promise<ReadonlySet<number>> {
  if (leases.length === 0) return new Set();
  const { rows } = await pool.query<{ shard: number }>({
    name: 'renew-leases',
    text: `update shard_leases lease set expires_at = clock_timestamp() + $4 * interval '1 millisecond'
           from unnest($2::smallint[], $3::bigint[]) as held (shard, fence)
           where lease.shard = held.shard and lease.fence = held.fence and lease.holder = $1
           returning lease.shard`,
    values: [holder, leases.map(({ shard }) => shard), leases.map(({ fence }) => fence), LEASE_MS],
  });
  return new Set(rows.map(({ shard }) => shard));
}

export async function countDestinations(pool: HotPool, shard: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) from destinations where shard = $1 and deleted_at is null',
    [shard],
  );
  return rows[0]?.count ?? 0;
}

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
