import { allShards } from '../../contract/deliveries/shards.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { endVoidDeliveries } from '../../db/ledger/end-void-deliveries.ts';
import { LISTENER_SHARD } from '../../db/ledger/destinations/destinations.ts';

const ALL_SHARDS = [LISTENER_SHARD, ...allShards];

/** Does what workers do within seconds after a change that makes deliveries void. Returns how many it ended. */
export async function endVoid(pool: HotPool): Promise<number> {
  for (let count = 0; ;) {
    const { cancelledCount, skippedCount, isAll } = await endVoidDeliveries(pool, ALL_SHARDS);
    count += cancelledCount + skippedCount;
    if (isAll) return count;
  }
}
