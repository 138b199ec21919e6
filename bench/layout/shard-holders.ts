import { setTimeout as sleep } from 'node:timers/promises';
import type { HotPool } from '../../db/core/hot-pool.ts';

const POLL_MS = 20;

export async function shardHolders(pool: HotPool): Promise<number[]> {
  const { rows } = await pool.query<{ holder: string }>(
    'select holder from shard_leases where expires_at > clock_timestamp() order by shard',
  );
  // A holder is `<host>/<process id>/<pump>`.
  return rows.map(({ holder }) => Number(holder.split('/')[1]));
}

export async function untilHeldBy(pool: HotPool, pids: readonly number[]): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*) from shard_leases');
  const shardCount = rows[0]?.count ?? 0;
  for (;;) {
    const holders = await shardHolders(pool);
    if (holders.length === shardCount && holders.every((holder) => pids.includes(holder))) return;
    await sleep(POLL_MS);
  }
}
