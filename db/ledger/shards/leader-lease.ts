import type { HotPool } from '../../core/hot-pool.ts';

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
