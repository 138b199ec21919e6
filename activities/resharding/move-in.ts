import type { HotPool } from '../../db/core/hot-pool.ts';
import { adoptStrays, endMoves, listArrivals, moveWaitingDeliveries } from '../../db/ledger/shards/finish-moves.ts';
import type { Log } from '../../process/log.ts';

/** Takes over the waiting deliveries of destinations that have moved into a pump's shard. */
export interface MoveIn {
  /** Returns whether it should be called again at once. */
  step(): Promise<boolean>;
  /** Looks for deliveries in this shard whose destination has left it. */
  findStrays(): Promise<void>;
}

export interface MoveInDeps {
  readonly pool: HotPool;
  readonly shard: number;
  readonly conversations: { readonly expect: () => void };
  readonly log: Log;
}

/** The pump reads both shards until this is done, so that nothing waits for it. */
export function createMoveIn({ pool, shard, conversations, log }: MoveInDeps): MoveIn {
  /** When the move was certainly committed, in seconds of the server's clock. */
  let seen = new Map<number, number>();

  return {
    async step() {
      const arrivals = await listArrivals(pool, shard);
      seen = new Map(arrivals.map(({ destinationId, seenAt }) => [destinationId, seen.get(destinationId) ?? seenAt]));
      if (arrivals.length === 0) return false;
      conversations.expect();
      if ((await moveWaitingDeliveries(pool, shard)) > 0) return true;
      const isComplete = ({ destinationId, oldestTransactionAt }: (typeof arrivals)[number]): boolean =>
        oldestTransactionAt === null || oldestTransactionAt > seen.get(destinationId)!;
      const destinationIds = arrivals.filter(isComplete).map(({ destinationId }) => destinationId);
      return (await endMoves(pool, { shard, destinationIds })) > 0;
    },
    async findStrays() {
      const count = await adoptStrays(pool, shard);
      if (count > 0) log.warn('destinations.strayed', { count });
    },
  };
}
