import type { HotPool } from '../../db/core/hot-pool.ts';
import { parkHeldDeliveries, releaseParkedDeliveries } from '../../db/ledger/parked-deliveries.ts';
import type { HeldLease } from '../../db/ledger/shards/shard-leases.ts';

/** While deliveries are parked. A released conversation continues after this time or the next poll. */
const RELEASE_MS = 100;
/** Otherwise. */
const LOOK_MS = 10_000;

export interface HeldConversations {
  /** Returns whether deliveries were parked, so that the next claim finds others. */
  park(destinationIds: readonly number[], heldIds: readonly number[]): Promise<boolean>;
  /** Returns deliveries whose conversation is no longer held. */
  release(): Promise<void>;
  /** A former pump of new shards may have parked some. */
  expect(): void;
}

export interface HeldConversationsDeps {
  readonly pool: HotPool;
  readonly leases: () => readonly HeldLease[];
}

export function createHeldConversations({ pool, leases }: HeldConversationsDeps): HeldConversations {
  let hasParked = true;
  let releasedAtMs = -Infinity;
  return {
    async park(destinationIds, heldIds) {
      const count = await parkHeldDeliveries(pool, { leases: leases(), destinationIds, heldIds });
      hasParked ||= count > 0;
      return count > 0;
    },
    async release() {
      const nowMs = performance.now();
      if (nowMs - releasedAtMs < (hasParked ? RELEASE_MS : LOOK_MS)) return;
      releasedAtMs = nowMs;
      hasParked = false;
      const shards = leases().map(({ shard }) => shard);
      const { hadParked } = await releaseParkedDeliveries(pool, shards);
      hasParked ||= hadParked;
    },
    expect() {
      hasParked = true;
      releasedAtMs = -Infinity;
    },
  };
}
