import { isPermanent, isStatementTimeout } from '../../../db/core/database-unavailable.ts';
import type { AcceptedRequests } from '../../../db/ledger/destinations/record-accepted.ts';
import type { Log } from '../../../process/log.ts';
import type { PumpLedger } from '../ledger/pump-ledger.ts';

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
  /**
   * Records what was gathered, by default of all destinations. Without `waits`, returns those that another transaction
   * has locked. They stay gathered, as does what the database does not take.
   */
  flush(destinationIds?: Iterable<number>, how?: { readonly waits: boolean }): Promise<ReadonlySet<number>>;
}

export interface HealthRecorderOptions {
  readonly ledger: Pick<PumpLedger, 'recordAccepted'>;
  /** Called with destinations whose circuit closed. */
  readonly onCircuits: (destinationIds: readonly number[]) => void;
  /** Optional. Default: 1 s. */
  readonly intervalMs?: number | undefined;
  /** Optional. From the refusal of one destination's health to the next try. Default: 10 s. */
  readonly refusedRetryMs?: number | undefined;
  readonly log: Log;
}

const INTERVAL_MS = 1_000;
/** Destinations in a statement, so that it locks none for long. */
const MAX_BATCH = 500;
const REFUSED_RETRY_MS = 10_000;

export function createHealthRecorder(options: HealthRecorderOptions): HealthRecorder {
  const { ledger, onCircuits, intervalMs = INTERVAL_MS, refusedRetryMs = REFUSED_RETRY_MS, log } = options;
  const gathered = new Map<number, AcceptedRequests>();
  /** What a statement records now. */
  const inFlight = new Map<number, { readonly accepted: AcceptedRequests; readonly ended: Promise<void> }>();
  /** Destinations whose health the database refused, and when to try again. */
  const refusedUntilMs = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  return {
    flush,
    lastAcceptedAtMs(destinationId) {
      const times = [gathered.get(destinationId), inFlight.get(destinationId)?.accepted];
      const lastAtMs = Math.max(...times.map((accepted) => accepted?.endedAtMs ?? 0));
      return lastAtMs === 0 ? undefined : lastAtMs;
    },
    add: (accepted) => gather({ ...accepted, count: 1 }),
  };

  function gather(accepted: AcceptedRequests): void {
    const before = gathered.get(accepted.destinationId);
    gathered.set(accepted.destinationId, before ? sumOf(before, accepted) : accepted);
    schedule();
  }

  /** The next write is scheduled after the end of the last, so that slow ones do not queue. */
  function schedule(): void {
    timer ??= setTimeout(() => {
      void flush().finally(() => {
        timer = undefined;
        if (gathered.size > 0) schedule();
      });
    }, intervalMs).unref();
  }

  async function flush(destinationIds?: Iterable<number>, { waits } = { waits: false }): Promise<ReadonlySet<number>> {
    const ids = [...new Set(destinationIds ?? gathered.keys())];
    const locked = new Set<number>();
    for (let first = 0; first < ids.length; first += MAX_BATCH) {
      const batch = ids.slice(first, first + MAX_BATCH);
      for (let ends = endsOf(batch); ends.length > 0; ends = endsOf(batch)) await Promise.all(ends);
      await write(batch.filter(isDue), { waits, locked });
    }
    return locked;
  }

  function endsOf(ids: readonly number[]): readonly Promise<void>[] {
    return ids.flatMap((id) => inFlight.get(id)?.ended ?? []);
  }

  function isDue(id: number): boolean {
    return gathered.has(id) && (refusedUntilMs.get(id) ?? 0) <= performance.now();
  }

  /** Of destinations that have gathered something and have nothing in flight. */
  async function write(ids: readonly number[], how: { waits: boolean; locked: Set<number> }): Promise<void> {
    if (ids.length === 0) return;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const taken = ids.map((id) => gathered.get(id)!);
    for (const accepted of taken) {
      gathered.delete(accepted.destinationId);
      inFlight.set(accepted.destinationId, { accepted, ended });
    }
    try {
      await record(taken, how);
    } finally {
      for (const id of ids) inFlight.delete(id);
      resolve();
    }
  }

  /** One destination must not stop the others. */
  async function record(accepted: readonly AcceptedRequests[], how: { waits: boolean; locked: Set<number> }) {
    let closedIds: readonly number[];
    try {
      const recorded = await ledger.recordAccepted(accepted, { waits: how.waits });
      closedIds = recorded.closedIds;
      for (const one of accepted) {
        refusedUntilMs.delete(one.destinationId);
        if (!recorded.lockedIds.has(one.destinationId)) continue;
        how.locked.add(one.destinationId);
        gather(one);
      }
    } catch (error) {
      await recordParts(accepted, { ...how, error });
      return;
    }
    if (closedIds.length > 0) onCircuits(closedIds);
  }

  async function recordParts(
    accepted: readonly AcceptedRequests[],
    { error, ...how }: { waits: boolean; locked: Set<number>; error: unknown },
  ): Promise<void> {
    const isOfOne = isPermanent(error) || isStatementTimeout(error);
    if (isOfOne && accepted.length > 1) {
      const middle = Math.ceil(accepted.length / 2);
      await record(accepted.slice(0, middle), how);
      await record(accepted.slice(middle), how);
      return;
    }
    const [{ destinationId }] = accepted as [AcceptedRequests];
    log.error('health.recordFailed', { error, count: accepted.length, destinationNumber: destinationId });
    if (isOfOne) refusedUntilMs.set(destinationId, performance.now() + refusedRetryMs);
    for (const one of accepted) gather(one);
  }
}

/** Of the same destination. */
function sumOf(one: AcceptedRequests, other: AcceptedRequests): AcceptedRequests {
  return {
    destinationId: one.destinationId,
    count: one.count + other.count,
    startedAtMs: Math.max(one.startedAtMs, other.startedAtMs),
    endedAtMs: Math.max(one.endedAtMs, other.endedAtMs),
  };
}
