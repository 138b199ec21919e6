import type { HotPool } from '../db/core/hot-pool.ts';
import { claimDeliveries } from '../db/ledger/claim.ts';
import type { Log } from '../process/log.ts';

export interface Start {
  readonly pool: HotPool;
  readonly claimPool: HotPool;
  readonly isStarted: () => boolean;
  readonly log: Log;
}

/** Longer than a start takes. A worker that cannot reach Temporal delivers all the same. */
const MAX_START_MS = 10_000;
/** No installation has it. */
const NO_SHARD = 32_767;

/** Returns a function that says whether the worker may take shards from others without delaying their deliveries. */
export function joinWhenStarted({ pool, claimPool, isStarted, log }: Start): () => boolean {
  const lateAtMs = performance.now() + MAX_START_MS;
  let isWarm = false;
  void warmUp(pool, claimPool)
    .catch((error: unknown) => log.warn('pump.warmUpFailed', { error }))
    .finally(() => (isWarm = true));
  return () => (isStarted() && isWarm) || performance.now() > lateAtMs;
}

/** Opens the connections and plans the claim, which would otherwise delay the first deliveries. */
async function warmUp(pool: HotPool, claimPool: HotPool): Promise<void> {
  const request = { shard: NO_SHARD, heldIds: [], room: new Map<number, number>(), defaultRoom: 1, maxRows: 1 };
  await Promise.all([
    ...Array.from({ length: claimPool.options.max }, () => claimDeliveries(claimPool, [request])),
    ...Array.from({ length: pool.options.max }, () => pool.query('select')),
  ]);
}
