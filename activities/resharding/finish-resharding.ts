import type { HotPool } from '../../db/core/hot-pool.ts';
import type { Resharding } from '../../db/ledger/shards/fleet.ts';
import { finishResharding, readReshardingClock } from '../../db/ledger/shards/resharding.ts';
import type { Log } from '../../process/log.ts';

/**
 * Ends a change of the number of shards. Every worker tries it. A transaction that began before the change may still
 * create a destination by the earlier number, so all of them must have ended.
 */
export function createFinishResharding({ pool, log }: { readonly pool: HotPool; readonly log: Log }) {
  let seen: { readonly target: number; readonly at: number } | undefined;

  return async ({ targetShards }: Resharding): Promise<void> => {
    if (targetShards === null) return void (seen = undefined);
    await finish(targetShards).catch((error: unknown) => log.warn('shards.changeFailed', { error }));
  };

  async function finish(targetShards: number): Promise<void> {
    const { nowAt, oldestTransactionAt } = await readReshardingClock(pool);
    if (seen?.target !== targetShards) seen = { target: targetShards, at: nowAt };
    if (oldestTransactionAt !== null && oldestTransactionAt <= seen.at) return;
    if (await finishResharding(pool, targetShards)) log.info('shards.changed', { shardCount: targetShards });
  }
}
