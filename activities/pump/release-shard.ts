import { endHandOver, handOver, type InFlightDelivery } from '../../db/ledger/shards/hand-over.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { createSendPermits, type SendPermits } from './send-permits.ts';
import type { Lease } from './lease.ts';

/** Releases a pump's lease and publishes what is in flight, so that the next pump need not wait for it. */
export interface ShardRelease {
  /** For the pump's requests: the next pump sends those that still wait for a connection. */
  readonly permits: SendPermits;
  /** Must be called once, when the pump sends no further requests. */
  release(inFlight: ReadonlyMap<number, InFlightDelivery>): Promise<void>;
  /** Must be called when outcomes are in the ledger. */
  settled(ids: readonly number[]): void;
  /** Resolves when the next pump knows of all settled deliveries. */
  idle(): Promise<void>;
}

export interface ShardReleaseDeps {
  readonly pool: HotPool;
  readonly shard: number;
  readonly holder: string;
  readonly lease: Lease;
  readonly overdueMs: number;
  readonly log: Log;
}

const RETRY_MS = 100;

export function createShardRelease({ pool, log, lease, ...deps }: ShardReleaseDeps): ShardRelease {
  const { shard } = deps;
  const { fence } = lease;
  const published = new Set<number>();
  let ending = Promise.resolve();

  const permits = createSendPermits(() => lease.isValid());

  return {
    permits,
    async release(inFlight) {
      permits.withdrawAll();
      await immediate(); // until the pump has removed the withdrawn deliveries
      const given = [...inFlight.values()];
      await handOverWhileValid(given);
      for (const { id } of given) published.add(id); // also if the statement seemed to fail
      lease.end();
      settled(given.map(({ id }) => id).filter((id) => !inFlight.has(id))); // settled during the statement
    },
    settled,
    idle: () => ending,
  };

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
    const untilMs = performance.now() + deps.overdueMs;
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
