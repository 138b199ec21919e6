import type { HeldLease } from '../../db/ledger/shards/shard-leases.ts';
import type { PumpLedger } from './ledger/pump-ledger.ts';

/** While deliveries are parked. A released conversation continues after this time or the next poll. */
const RELEASE_MS = 100;
/** Otherwise. */
const LOOK_MS = 10_000;
/** In one statement, which may read thousands of deliveries of each. */
const MAX_DESTINATIONS = 20;

export interface HeldConversations {
  /** Some of the destinations, and others at the next call. Returns whether deliveries were parked. */
  park(destinationIds: readonly number[], heldIds: readonly number[]): Promise<boolean>;
  /** Lets deliveries be claimed whose conversation is no longer held. Returns their destinations. */
  release(): Promise<readonly number[]>;
  /** A former pump of new shards may have parked some. */
  expect(): void;
}

export interface HeldConversationsDeps {
  readonly ledger: Pick<PumpLedger, 'parkHeldDeliveries' | 'releaseParkedDeliveries'>;
  readonly leases: () => readonly HeldLease[];
}

export function createHeldConversations({ ledger, leases }: HeldConversationsDeps): HeldConversations {
  let hasParked = true;
  let releasedAtMs = -Infinity;
  let turn = 0;
  let parkedCount = 0;
  return {
    async park(ids, heldIds) {
      const from = ids.length > MAX_DESTINATIONS ? (turn += MAX_DESTINATIONS) % ids.length : 0;
      const destinationIds = [...ids.slice(from), ...ids.slice(0, from)].slice(0, MAX_DESTINATIONS);
      const count = await ledger.parkHeldDeliveries({ leases: leases(), destinationIds, heldIds });
      if (count > 0) mayHaveParked();
      return count > 0;
    },
    async release() {
      const nowMs = performance.now();
      if (nowMs - releasedAtMs < (hasParked ? RELEASE_MS : LOOK_MS)) return [];
      releasedAtMs = nowMs;
      const shards = leases().map(({ shard }) => shard);
      const parkedBefore = parkedCount;
      const { destinationIds, hadParked } = await ledger.releaseParkedDeliveries(shards);
      hasParked = hadParked || parkedCount !== parkedBefore; // also during the statement
      return destinationIds;
    },
    expect() {
      mayHaveParked();
      releasedAtMs = -Infinity;
    },
  };

  function mayHaveParked(): void {
    parkedCount++;
    hasParked = true;
  }
}
