import type { HotPool } from '../../db/core/hot-pool.ts';
import type { Resharding } from '../../db/ledger/shards/fleet.ts';
import {
  adoptStrays,
  endMoves,
  listArrivals,
  moveWaitingDeliveries,
  type DestinationMove,
  listMoves,
} from '../../db/ledger/shards/move-destinations.ts';
import { finishResharding, readReshardingClock } from '../../db/ledger/shards/resharding.ts';
import type { Log } from '../../process/log.ts';

/** A pump's part in a change of the number of shards. */
export interface ShardMoves {
  /** Returns destinations that belong to another shard now, for `HandOvers`. */
  leaving(): Promise<readonly DestinationMove[]>;
  /**
   * Takes over waiting deliveries of destinations that have moved into the shard. The pump reads both shards until this
   * is done, so that nothing waits for it.
   */
  takeIn(): Promise<{ readonly hasArrivals: boolean; readonly isMore: boolean }>;
  /** Looks for deliveries in this shard whose destination has left it, now and then. */
  findStrays(isMoving: boolean): Promise<void>;
}

const MOVED_AT_ONCE = 50;
/** While destinations wait for a pump in their new shard, or are locked. */
const LOOK_MS = 1_000;
const STRAYS_MS = 60_000;
const STRAYS_MOVING_MS = 5_000;

export function createShardMoves({
  pool,
  shard,
  log,
}: {
  readonly pool: HotPool;
  readonly shard: number;
  readonly log: Log;
}): ShardMoves {
  /** When the move was certainly committed, in seconds of the server's clock. */
  let seen = new Map<number, number>();
  let listed: DestinationMove[] = [];
  let lookedAtMs = -Infinity;
  let soughtAtMs = performance.now() - Math.random() * STRAYS_MS; // not all shards at once

  return {
    async leaving() {
      if (listed.length === 0 && performance.now() - lookedAtMs >= LOOK_MS) {
        lookedAtMs = performance.now();
        listed = await listMoves(pool, shard);
      }
      return listed.splice(0, MOVED_AT_ONCE);
    },
    async takeIn() {
      const arrivals = await listArrivals(pool, shard);
      seen = new Map(arrivals.map(({ destinationId, seenAt }) => [destinationId, seen.get(destinationId) ?? seenAt]));
      if (arrivals.length === 0) return { hasArrivals: false, isMore: false };
      if ((await moveWaitingDeliveries(pool, shard)) > 0) return { hasArrivals: true, isMore: true };
      const isComplete = ({ destinationId, oldestTransactionAt }: (typeof arrivals)[number]): boolean =>
        oldestTransactionAt === null || oldestTransactionAt > seen.get(destinationId)!;
      const destinationIds = arrivals.filter(isComplete).map(({ destinationId }) => destinationId);
      return { hasArrivals: true, isMore: (await endMoves(pool, { shard, destinationIds })) > 0 };
    },
    async findStrays(isMoving) {
      if (performance.now() - soughtAtMs < (isMoving ? STRAYS_MOVING_MS : STRAYS_MS)) return;
      soughtAtMs = performance.now();
      const count = await adoptStrays(pool, shard);
      if (count > 0) log.warn('destinations.strayed', { count });
    },
  };
}

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
