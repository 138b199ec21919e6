import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { endHandOver, handOver, type InFlightDelivery } from '../../db/ledger/shards/hand-over.ts';
import { type DestinationMove, moveDestinations } from '../../db/ledger/shards/move-destinations.ts';
import { createPermit, type Permit } from '../../egress/permit.ts';
import type { Log } from '../../process/log.ts';
import type { Lease } from './lease.ts';

/**
 * Gives a pump's shard, or some of its destinations, to other pumps at once. What is in flight is published, so that they
 * need not wait for it. Requests that still wait for a connection are withdrawn, because the other pumps send them.
 */
export interface HandOvers {
  /** Of the requests to a destination. Later requests of a destination that has left get a new one. */
  permitOf(destinationId: number): Permit;
  /** Releases the lease. Must be called once, when the pump sends no further requests. */
  releaseShard(): Promise<void>;
  /** Must not run during a claim. */
  moveDestinations(moves: readonly DestinationMove[]): Promise<void>;
  /** Must be called when outcomes are in the ledger. */
  settled(ids: readonly number[]): void;
  /** Resolves when the other pumps know of all settled deliveries. */
  idle(): Promise<void>;
}

export interface HandOversDeps {
  readonly pool: HotPool;
  readonly shard: number;
  readonly holder: string;
  readonly lease: Lease;
  readonly overdueMs: number;
  /** Sent, and not yet settled in the ledger. */
  readonly sent: ReadonlyMap<number, InFlightDelivery>;
  readonly log: Log;
}

const RETRY_MS = 100;

export function createHandOvers({ pool, log, lease, sent, ...deps }: HandOversDeps): HandOvers {
  const { shard, overdueMs } = deps;
  const { fence } = lease;
  const permits = new Map<number, Permit>();
  const published = new Set<number>();
  let isReleased = false;
  let ending = Promise.resolve();

  return {
    permitOf(destinationId) {
      const permit = permits.get(destinationId) ?? createPermit(() => !isReleased && lease.isValid());
      permits.set(destinationId, permit);
      return permit;
    },
    async releaseShard() {
      isReleased = true;
      for (const permit of permits.values()) permit.withdraw();
      await immediate(); // until the pump has removed the withdrawn deliveries
      await publish([...sent.values()], handOverWhileValid);
      lease.end();
    },
    async moveDestinations(moves) {
      const movedIds = new Set(moves.map(({ id }) => id));
      for (const id of movedIds) {
        permits.get(id)?.withdraw();
        permits.delete(id);
      }
      await immediate();
      const requests = [...sent.values()].filter(({ destinationId }) => movedIds.has(destinationId));
      await publish(requests, async (inFlight) => {
        const moved = await moveDestinations(pool, { shard, fence, moves, inFlight, overdueMs });
        if (moved.length > 0) log.info('destinations.moved', { count: moved.length, inFlightCount: inFlight.length });
      });
    },
    settled,
    idle: () => ending,
  };

  async function publish(
    inFlight: readonly InFlightDelivery[],
    act: (inFlight: readonly InFlightDelivery[]) => Promise<void>,
  ): Promise<void> {
    try {
      await act(inFlight);
    } finally {
      for (const { id } of inFlight) published.add(id); // also after an error, which may hide a commit
      settled(inFlight.map(({ id }) => id).filter((id) => !sent.has(id))); // settled during the statement
    }
  }

  /** Without a hand-over the next pump would repeat these requests after the lease has expired. */
  async function handOverWhileValid(inFlight: readonly InFlightDelivery[]): Promise<void> {
    for (;;) {
      try {
        await handOver(pool, { ...deps, fence, inFlight });
        return;
      } catch (error) {
        log.warn('lease.releaseFailed', { error });
        if (!lease.isValid()) return;
      }
      await sleep(RETRY_MS);
    }
  }

  function settled(ids: readonly number[]): void {
    const ended = ids.filter((id) => published.delete(id));
    if (ended.length === 0) return;
    ending = ending.then(() => endUntilOverdue(ended));
  }

  /** Otherwise the rest of these conversations would wait until the deliveries are overdue. */
  async function endUntilOverdue(ids: readonly number[]): Promise<void> {
    const untilMs = performance.now() + overdueMs;
    while (performance.now() < untilMs) {
      try {
        return await endHandOver(pool, { shard, fence, ids });
      } catch (error) {
        log.warn('handOver.endFailed', { error, count: ids.length });
      }
      await sleep(RETRY_MS);
    }
  }
}
