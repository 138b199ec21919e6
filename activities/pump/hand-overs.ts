import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { HandedOver, InFlightDelivery } from '../../db/ledger/shards/hand-over.ts';
import type { HeldLease } from '../../db/ledger/shards/shard-leases.ts';
import type { Log } from '../../process/log.ts';
import type { Lease } from './lease.ts';
import type { PumpLedger } from './ledger/pump-ledger.ts';

/** Gives shards to other pumps at once. What is in flight is published, so that they need not wait for it. */
export interface HandOvers {
  /** Releases the leases. The pump must send no further requests of these shards. */
  release(leases: readonly HeldLease[]): Promise<void>;
  /** Must be called when outcomes are in the ledger. */
  settled(ids: readonly number[]): void;
  /** Resolves when the other pumps know of all settled deliveries. */
  idle(): Promise<void>;
}

export interface SentDelivery {
  readonly row: InFlightDelivery;
  readonly lease: HeldLease;
}

export interface HandOversDeps {
  readonly ledger: Pick<PumpLedger, 'handOver' | 'endHandOver'>;
  readonly holder: string;
  readonly lease: Lease;
  readonly overdueMs: number;
  /** Not yet settled in the ledger. */
  readonly sent: ReadonlyMap<number, SentDelivery>;
  readonly log: Log;
}

const RETRY_MS = 100;

export function createHandOvers({ ledger, holder, lease, overdueMs, sent, log }: HandOversDeps): HandOvers {
  const published = new Map<number, HandedOver>();
  let ending = Promise.resolve();

  return {
    async release(leases) {
      await immediate(); // until the pump has removed the withdrawn deliveries
      const released = new Map(leases.map(({ shard, fence }) => [shard, fence]));
      const own = [...sent.values()].filter(({ lease: held }) => released.get(held.shard) === held.fence);
      const inFlight = own.map(({ row }) => row);
      try {
        await handOverWhileValid(leases, inFlight);
      } finally {
        // Also after an error, which may hide a commit.
        for (const { row, lease: held } of own)
          published.set(row.id, { id: row.id, shard: held.shard, fence: held.fence });
        settled(inFlight.map(({ id }) => id).filter((id) => !sent.has(id))); // settled during the statement
      }
    },
    settled,
    idle: () => ending,
  };

  /** Without a hand-over the next pumps would repeat these requests after the lease has expired. */
  async function handOverWhileValid(
    leases: readonly HeldLease[],
    inFlight: readonly InFlightDelivery[],
  ): Promise<void> {
    for (;;) {
      try {
        await ledger.handOver({ holder, leases, inFlight, overdueMs });
        return;
      } catch (error) {
        log.warn('lease.releaseFailed', { error });
        if (!lease.isValid()) return;
      }
      await sleep(RETRY_MS);
    }
  }

  function settled(ids: readonly number[]): void {
    const ended = ids.flatMap((id) => published.get(id) ?? []);
    if (ended.length === 0) return;
    for (const { id } of ended) published.delete(id);
    ending = ending.then(() => endUntilOverdue(ended));
  }

  /** Otherwise the rest of these conversations would wait until the deliveries are overdue. */
  async function endUntilOverdue(ended: readonly HandedOver[]): Promise<void> {
    const untilMs = performance.now() + overdueMs;
    while (performance.now() < untilMs) {
      try {
        return await ledger.endHandOver(ended);
      } catch (error) {
        log.warn('handOver.endFailed', { error, count: ended.length });
      }
      await sleep(RETRY_MS);
    }
  }
}
