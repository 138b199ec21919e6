import type { Knex } from 'knex';
import { until } from '../until.ts';

/** The process id of a lease's holder. */
export const pidOf = ({ holder }: { readonly holder: string }): number => Number(holder.split('/')[1]);

/** The process id of the holder of each shard. */
async function shardHolders(db: Knex): Promise<number[]> {
  const rows = await db('shard_leases')
    .whereRaw('expires_at > clock_timestamp()')
    .select<{ holder: string }[]>('holder');
  return rows.map(pidOf);
}

/** Waits until these processes serve all shards evenly. */
export async function untilShared(db: Knex, pids: readonly number[], what = `${pids.length} workers`): Promise<void> {
  const [{ delivery_shards: shardCount }] = await db('installation').select('delivery_shards');
  await until(
    async () => {
      const holders = await shardHolders(db);
      const counts = pids.map((pid) => holders.filter((holder) => holder === pid).length);
      const isComplete = counts.reduce((sum, count) => sum + count, 0) === shardCount;
      return isComplete && Math.max(...counts) - Math.min(...counts) <= 1;
    },
    { for: `Even shares after ${what}`, detail: () => shardHolders(db) },
  );
}
