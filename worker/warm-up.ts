import type { HotPool } from '../db/core/hot-pool.ts';
import { claimDeliveries } from '../db/ledger/claim.ts';

/** No installation has it. */
const NO_SHARD = 32_767;

/**
 * Opens the connections of a pool and plans the claim on each of them, which would otherwise delay the first deliveries
 * of a shard that a new worker takes from another.
 */
export async function warmUp(pool: HotPool): Promise<void> {
  const request = { shard: NO_SHARD, heldIds: [], room: new Map<number, number>(), defaultRoom: 1, maxRows: 1 };
  await Promise.all(Array.from({ length: pool.options.max }, () => claimDeliveries(pool, [request])));
}
