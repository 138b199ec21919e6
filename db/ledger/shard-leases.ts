import type { HotPool } from '../core/hot-pool.ts';

/** How long a pump may act without renewing its lease. */
export const LEASE_MS = 3_000;

/**
 * Increments the fence, so that failures settled under an older fence change no delivery. Returns undefined while
 * another holder has the lease.
 */
export async function acquireLease(
  pool: HotPool,
  { shard, holder }: { shard: number; holder: string },
): Promise<number | undefined> {
  const { rows } = await pool.query<{ fence: number }>(
    `insert into shard_leases as lease (shard, holder, fence, expires_at)
     values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
     on conflict (shard) do update
       set holder = excluded.holder, fence = lease.fence + 1, expires_at = excluded.expires_at
       where lease.expires_at < clock_timestamp() or lease.holder = excluded.holder
     returning fence`,
    [shard, holder, LEASE_MS],
  );
  return rows[0]?.fence;
}

/** Returns false if the fence is outdated. */
export async function renewLease(pool: HotPool, { shard, fence }: { shard: number; fence: number }): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'renew-lease',
    text: `update shard_leases set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
           where shard = $1 and fence = $2`,
    values: [shard, fence, LEASE_MS],
  });
  return rowCount === 1;
}

export async function releaseLease(pool: HotPool, { shard, fence }: { shard: number; fence: number }): Promise<void> {
  await pool.query('update shard_leases set expires_at = clock_timestamp() where shard = $1 and fence = $2', [
    shard,
    fence,
  ]);
}

export async function countDestinations(pool: HotPool, shard: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) from destinations where shard = $1 and deleted_at is null',
    [shard],
  );
  return rows[0]?.count ?? 0;
}
