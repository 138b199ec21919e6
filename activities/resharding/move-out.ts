import { setImmediate as immediate } from 'node:timers/promises';
import { endHandOver, type InFlightDelivery } from '../../db/ledger/shards/hand-over.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { type DestinationMove, listMoves, moveDestinations } from '../../db/ledger/shards/move-destinations.ts';
import type { Log } from '../../process/log.ts';

/** Moves the destinations of a pump's shard that belong to another one since the number of shards has changed. */
export interface MoveOut {
  /** Moves some. Must not run during a claim. Returns whether there may be more. */
  step(): Promise<boolean>;
  /** Must be called when outcomes are in the ledger. */
  settled(ids: readonly number[]): void;
  /** Resolves when the new pumps know of all settled deliveries. */
  idle(): Promise<void>;
}

export interface MoveOutDeps {
  readonly pool: HotPool;
  readonly shard: number;
  readonly lease: { readonly fence: number; readonly isValid: () => boolean };
  readonly overdueMs: number;
  /** Sent, and not yet settled in the ledger. */
  readonly sent: ReadonlyMap<number, InFlightDelivery>;
  /** Its `drop` discards the pump's copies of the destination's deliveries that are not sent. */
  readonly window: { readonly drop: (destinationId: number) => void };
  readonly release: { readonly permits: { readonly withdraw: (destinationId: number) => void } };
  readonly log: Log;
}

const MOVED_AT_ONCE = 50;
/** While destinations wait for a pump in their new shard, or are locked. */
const LOOK_MS = 1_000;

export function createMoveOut(deps: MoveOutDeps): MoveOut {
  const { pool, shard, lease, overdueMs, sent, log } = deps;
  const published = new Set<number>();
  let listed: DestinationMove[] = [];
  let lookedAtMs = -Infinity;
  let ending = Promise.resolve();

  return { step, settled, idle: () => ending };

  async function step(): Promise<boolean> {
    if (listed.length === 0 && performance.now() - lookedAtMs >= LOOK_MS) {
      lookedAtMs = performance.now();
      listed = await listMoves(pool, shard);
    }
    const moves = listed.splice(0, MOVED_AT_ONCE);
    if (moves.length === 0 || !lease.isValid()) return false;
    await move(moves);
    return true;
  }

  async function move(moves: readonly DestinationMove[]): Promise<void> {
    const movedIds = new Set(moves.map(({ id }) => id));
    for (const id of movedIds) {
      deps.window.drop(id);
      deps.release.permits.withdraw(id);
    }
    await immediate(); // until the pump has removed the withdrawn deliveries
    const inFlight = [...sent.values()].filter(({ destinationId }) => movedIds.has(destinationId));
    try {
      const moved = await moveDestinations(pool, { shard, fence: lease.fence, moves, inFlight, overdueMs });
      if (moved.length > 0) log.info('destinations.moved', { count: moved.length, inFlightCount: inFlight.length });
    } finally {
      for (const { id } of inFlight) published.add(id); // also after an error, which may hide a commit
      settled(inFlight.map(({ id }) => id).filter((id) => !sent.has(id))); // settled during the statement
    }
  }

  function settled(ids: readonly number[]): void {
    const ended = ids.filter((id) => published.delete(id));
    if (ended.length === 0) return;
    ending = ending
      .then(() => endHandOver(pool, { shard, fence: lease.fence, ids: ended }))
      .catch((error: unknown) => log.warn('handOver.endFailed', { error, count: ended.length }));
  }
}
