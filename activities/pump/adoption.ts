import { sequenceOf, type IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { findOpenCircuitsNamed, findOverdueCircuits } from '../../db/ledger/destinations/circuits.ts';
import { LISTENER_SHARD } from '../../db/ledger/destinations/destinations.ts';
import { endLeftListenerDeliveries } from '../../db/ledger/listeners/end-left-listener-deliveries.ts';
import { findOverdue, findFailedDeliveries } from '../../db/ledger/failed-deliveries.ts';
import { createEndVoid, type EndVoidDeps } from './end-void.ts';
import type { CircuitSignals } from './signal-circuits.ts';
import type { Promotion } from './promotion.ts';
import type { Log } from '../../process/log.ts';

/**
 * Starts missing workflows of retrying deliveries and open circuits. Two searches find them: overdue rows (complete,
 * but late), and workflow runs that closed without completing (within seconds). Also ends void deliveries.
 */
export interface Adoption {
  /**
   * Repeatedly searches the shard, with all others that are watched, for void deliveries and overdue rows. Returns a
   * function that stops it.
   */
  watch(shard: number): () => void;
  /** A destination has changed, so that its deliveries may be void. */
  endVoidSoon(): void;
  /** Does once what belongs to no shard. One worker of the installation calls it, every few seconds. */
  adoptClosed(): Promise<void>;
}

export interface AdoptionDeps extends EndVoidDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly promotion: Promotion;
  readonly circuits: CircuitSignals;
  readonly listAbandoned: (since: Date) => Promise<readonly string[]>;
  readonly listAbandonedCircuits: (since: Date) => Promise<readonly string[]>;
  readonly log: Log;
}

const INTERVAL_MS = 3_000;
/** Collects changes of several destinations. Each sweep also notifies the pumps of a change. */
const SOON_MS = 100;
/** Leaves a running workflow time to start its attempt. */
const OVERDUE_MS = 5_000;
/** Longer than a probe, because a workflow's wait begins after its probe. */
const CIRCUIT_OVERDUE_MS = 15_000;
/** For each shard. */
const MAX_ADOPTED = 100;
/** Covers visibility lag and a restart of the worker. */
const CLOSED_WITHIN_MS = 10 * 60_000;
const MAX_LEFT_BATCHES = 4;

export function createAdoption(deps: AdoptionDeps): Adoption {
  const { pool, idKey, promotion, log } = deps;
  /** A shard may be watched twice while it changes hands. */
  const watched = new Set<{ readonly shard: number }>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let isSweeping = false;
  const endVoid = createEndVoid(deps);
  const endVoidOfListeners = createEndVoid(deps);
  const watchedShards = (): number[] => [...new Set(Array.from(watched, ({ shard }) => shard))];

  return {
    watch(shard) {
      const entry = { shard };
      watched.add(entry);
      timer ??= setInterval(() => {
        endWatched();
        void sweepOnce();
      }, INTERVAL_MS);
      return () => {
        watched.delete(entry);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    endVoidSoon() {
      soon ??= setTimeout(() => {
        soon = undefined;
        endWatched();
      }, SOON_MS);
    },
    async adoptClosed() {
      await endUnreadable();
      await adoptClosedRuns();
    },
  };

  function endWatched(): void {
    if (watched.size > 0) endVoid(watchedShards).catch(logFailed);
  }

  async function sweepOnce(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    const shards = watchedShards();
    try {
      await promotion.start(await findOverdue(pool, idKey, { shards, overdueMs: OVERDUE_MS, limit: MAX_ADOPTED }));
      const circuits = { shards, overdueMs: CIRCUIT_OVERDUE_MS, limit: MAX_ADOPTED };
      await deps.circuits.start(await findOverdueCircuits(pool, circuits));
    } catch (error) {
      logFailed(error);
    } finally {
      isSweeping = false;
    }
  }

  function logFailed(error: unknown): void {
    log.warn('adoption.sweepFailed', { error, shards: watchedShards() });
  }

  /** No pump serves listeners. */
  async function endUnreadable(): Promise<void> {
    const counts = [await endVoidOfListeners(() => [LISTENER_SHARD])];
    for (let batch = 0; batch < MAX_LEFT_BATCHES; batch++) {
      const { count, isAll } = await endLeftListenerDeliveries(pool);
      counts.push(count);
      if (isAll) break;
    }
    const count = counts.reduce((sum, one) => sum + one);
    if (count > 0) log.info('listenerDeliveries.ended', { count });
  }

  async function adoptClosedRuns(): Promise<void> {
    const since = new Date(Date.now() - CLOSED_WITHIN_MS);
    const deliveryIds = await deps.listAbandoned(since);
    const numbers = deliveryIds.map((id) => sequenceOf(idKey, 'delivery', id)).filter((id) => id !== undefined);
    await promotion.start(await findFailedDeliveries(pool, idKey, numbers));
    await deps.circuits.start(await findOpenCircuitsNamed(pool, await deps.listAbandonedCircuits(since)));
  }
}
