import type { HotPool } from '../../../db/core/hot-pool.ts';
import { isPermanent } from '../../../db/core/database-unavailable.ts';
import { type AcceptedRequests, recordAccepted } from '../../../db/ledger/destinations/record-accepted.ts';
import type { Log } from '../../../process/log.ts';

/**
 * Gathers what receivers accepted, and records it at their destinations once a second: one write for a busy destination
 * instead of one for each settlement. A crash loses at most what was gathered. Deliveries do not depend on it: later
 * requests make up for the counts, and close a circuit that should have closed.
 */
export interface HealthRecorder {
  /** Adds one accepted request. */
  add(accepted: Omit<AcceptedRequests, 'count'>): void;
  /**
   * When a destination last accepted a request, if its row does not say so yet. The row alone would take failures for
   * consecutive that had a 2xx between them.
   */
  lastAcceptedAtMs(destinationId: number): number | undefined;
  /** Records what was gathered. What the database does not take stays gathered. */
  flush(): Promise<void>;
}

export interface HealthRecorderOptions {
  readonly pool: HotPool;
  /** Called with destinations whose circuit closed. */
  readonly onCircuits: (destinationIds: readonly number[]) => void;
  /** Optional. From the refusal of one destination's health to the next try. Default: 10 s. */
  readonly refusedRetryMs?: number | undefined;
  readonly log: Log;
}

const INTERVAL_MS = 1_000;
/** Destinations in a statement, so that it locks none for long. */
const MAX_BATCH = 500;
const REFUSED_RETRY_MS = 10_000;

export function createHealthRecorder(options: HealthRecorderOptions): HealthRecorder {
  const { pool, onCircuits, refusedRetryMs = REFUSED_RETRY_MS, log } = options;
  const gathered = new Map<number, AcceptedRequests>();
  /** Destinations whose health the database refused, and when to try again. */
  const refusedUntilMs = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let lastWrite = Promise.resolve();

  return {
    flush,
    lastAcceptedAtMs: (destinationId) => gathered.get(destinationId)?.endedAtMs,
    add({ destinationId, startedAtMs, endedAtMs }) {
      const before = gathered.get(destinationId);
      gathered.set(destinationId, {
        destinationId,
        count: (before?.count ?? 0) + 1,
        startedAtMs: Math.max(before?.startedAtMs ?? 0, startedAtMs),
        endedAtMs: Math.max(before?.endedAtMs ?? 0, endedAtMs),
      });
      schedule();
    },
  };

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), Math.min(INTERVAL_MS, refusedRetryMs)).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    lastWrite = lastWrite.then(write);
    await lastWrite;
    if (gathered.size > 0) schedule();
  }

  async function write(): Promise<void> {
    const nowMs = performance.now();
    const due = [...gathered.values()].filter(({ destinationId: id }) => (refusedUntilMs.get(id) ?? 0) <= nowMs);
    for (let first = 0; first < due.length; first += MAX_BATCH) {
      const batch = due.slice(first, first + MAX_BATCH);
      try {
        await record(batch);
      } catch (error) {
        log.error('health.recordFailed', { error, count: batch.length });
        if (isPermanent(error)) await recordEach(batch);
      }
    }
  }

  /** One destination must not stop the others. */
  async function recordEach(accepted: readonly AcceptedRequests[]): Promise<void> {
    for (const one of accepted) {
      await record([one]).catch(() => refusedUntilMs.set(one.destinationId, performance.now() + refusedRetryMs));
    }
  }

  /** Locked destinations stay gathered until the next time. */
  async function record(accepted: readonly AcceptedRequests[]): Promise<void> {
    const { closedIds, lockedIds } = await recordAccepted(pool, accepted, { waits: false });
    for (const { destinationId, count } of accepted) {
      if (!lockedIds.has(destinationId)) subtract(destinationId, count);
    }
    onCircuits(closedIds);
  }

  /** Requests may have been added meanwhile. */
  function subtract(destinationId: number, count: number): void {
    refusedUntilMs.delete(destinationId);
    const one = gathered.get(destinationId)!;
    if (one.count > count) gathered.set(destinationId, { ...one, count: one.count - count });
    else gathered.delete(destinationId);
  }
}
