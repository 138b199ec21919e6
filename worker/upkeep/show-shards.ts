import type { HotPool } from '../../db/core/hot-pool.ts';
import { readRetiredShards, readShardHolders } from '../../db/ledger/shards/fleet.ts';
import type { WorkerStarts } from '../../workflow-starts/worker-starts.ts';

export interface ShowShardsDeps {
  readonly pool: HotPool;
  readonly starts: Pick<WorkerStarts, 'startShards' | 'signalRetiredShard'>;
}

/**
 * Starts the missing workflows of shards, and ends those of retired ones whose worker could not: the worker that a signal
 * names reports that the shard is retired.
 */
export function createShowShards({ pool, starts }: ShowShardsDeps): () => Promise<void> {
  /** Retired shards without a workflow. The fence distinguishes those that were served in between. */
  let ended: ReadonlySet<string> = new Set();
  return async () => {
    await starts.startShards(await readShardHolders(pool));
    const found = new Set<string>();
    for (const retired of await readRetiredShards(pool)) {
      const name = `${retired.shard}/${retired.holder.fence}`;
      if (ended.has(name) || !(await starts.signalRetiredShard(retired))) found.add(name);
    }
    ended = found;
  };
}
