import type { HotPool } from '../core/hot-pool.ts';

/** How long a pump may act on a shard without renewing, in milliseconds. */
export const LEASE_MS = 3_000;

/**
 * Takes the shard's lease when it is free, has run out, or is this holder's already, and raises its fence: whatever
 * still writes under an older fence changes nothing. Undefined while somebody else holds it.
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

/** Prolongs the lease; false when it was lost to another holder. */
export async function renewLease(pool: HotPool, { shard, fence }: { shard: number; fence: number }): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'renew-lease',
    text: `update shard_leases set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
           where shard = $1 and fence = $2`,
    values: [shard, fence, LEASE_MS],
  });
  return rowCount === 1;
}

/** Gives the lease up, so that the next pump need not wait for it to run out. */
export async function releaseLease(pool: HotPool, { shard, fence }: { shard: number; fence: number }): Promise<void> {
  await pool.query('update shard_leases set expires_at = clock_timestamp() where shard = $1 and fence = $2', [
    shard,
    fence,
  ]);
}

/** How many live destinations a shard has. */
export async function countDestinations(pool: HotPool, shard: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*) from destinations where shard = $1 and deleted_at is null',
    [shard],
  );
  return rows[0]?.count ?? 0;
}
