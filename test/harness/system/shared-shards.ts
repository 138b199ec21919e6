import type { Knex } from 'knex';
import { SHARD_COUNT } from '../../../contract/deliveries/shards.ts';
import { isLiveSql } from '../../../db/ledger/shards/shard-leases.ts';
import { until } from '../until.ts';

/** The process id of a lease's holder. */
export const pidOf = ({ holder }: { readonly holder: string }): number => Number(holder.split('/')[1]);

/** The process id of the holder of each shard. */
async function shardHolders(db: Knex): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { holder: string }[] }>(
    `select l.holder from shard_leases l join workers w using (holder) where ${isLiveSql('w.seen_at')}`,
  );
  return rows.map(pidOf);
}

/** Waits until these processes serve all shards evenly. */
export async function untilShared(db: Knex, pids: readonly number[], what = `${pids.length} workers`): Promise<void> {
  await until(
    async () => {
      const holders = await shardHolders(db);
      const counts = pids.map((pid) => holders.filter((holder) => holder === pid).length);
      const isComplete = counts.reduce((sum, count) => sum + count, 0) === SHARD_COUNT;
      return isComplete && Math.max(...counts) - Math.min(...counts) <= 1;
    },
    { for: `Even shares after ${what}`, detail: () => shardHolders(db) },
  );
}
