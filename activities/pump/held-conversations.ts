import type { HotPool } from '../../db/core/hot-pool.ts';
import { parkHeldDeliveries, releaseParkedDeliveries } from '../../db/ledger/parked-deliveries.ts';

/** While deliveries are parked. A released conversation continues after this time or the next poll. */
const RELEASE_MS = 100;
/** Otherwise: a former pump of the shard may have parked some. */
const LOOK_MS = 10_000;

export interface HeldConversations {
  /** Returns whether deliveries were parked, so that the next claim finds others. */
  park(destinationIds: readonly number[], heldIds: readonly number[]): Promise<boolean>;
  /** Returns deliveries whose conversation is no longer held. */
  release(): Promise<void>;
  /** Parked deliveries of another shard may arrive. */
  expect(): void;
}

export function createHeldConversations({
  pool,
  shard,
  fence,
}: {
  pool: HotPool;
  shard: number;
  fence: number;
}): HeldConversations {
  let hasParked = true;
  let releasedAtMs = -Infinity;
  return {
    async park(destinationIds, heldIds) {
      const count = await parkHeldDeliveries(pool, { shard, fence, destinationIds, heldIds });
      hasParked ||= count > 0;
      return count > 0;
    },
    expect: () => void (hasParked = true),
    async release() {
      const nowMs = performance.now();
      if (nowMs - releasedAtMs < (hasParked ? RELEASE_MS : LOOK_MS)) return;
      releasedAtMs = nowMs;
      const { hadParked } = await releaseParkedDeliveries(pool, shard);
      hasParked = hadParked;
    },
  };
}
