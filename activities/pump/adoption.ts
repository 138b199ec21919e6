import { sequencedId, sequenceOf, type IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { findOpenCircuitsNamed, findOverdueCircuits } from '../../db/ledger/destinations/circuits.ts';
import { LISTENER_SHARD } from '../../db/ledger/destinations/destinations.ts';
import { endLeftListenerDeliveries } from '../../db/ledger/listeners/end-left-listener-deliveries.ts';
import { findFailedDeliveries, findOverdue, type TracedDelivery } from '../../db/ledger/failed-deliveries.ts';
import type { FailingDestination } from '../../contract/destinations/circuit.ts';
import { MAX_WORKFLOWS_PER_DESTINATION } from '../../contract/deliveries/what-next.ts';
import { endVoidDeliveries } from '../../db/ledger/end-void-deliveries.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log } from '../../process/log.ts';
import { type WakeDelivery, wakeDeliveries } from '../destinations/wake-deliveries.ts';
import type { StartMissing } from './start-missing.ts';

/**
 * Starts missing workflows of retrying deliveries and open circuits. Two searches find them: overdue rows (complete,
 * but late), and workflow runs that closed without completing (within seconds). Also ends void deliveries.
 */
export interface Adoption {
  /** Repeatedly searches these shards for void deliveries and overdue rows. Returns a function that stops it. */
  watch(shards: () => readonly number[]): () => void;
  /** A destination has changed, so that its deliveries may be void. */
  endVoidSoon(): void;
  /** Does once what belongs to no shard. One worker of the installation calls it, every few seconds. */
  adoptClosed(): Promise<void>;
}

export interface AdoptionDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly wakeDelivery: WakeDelivery;
  readonly meter?: Pick<WorkerMeter, 'moved'> | undefined;
  readonly promotion: Pick<StartMissing<TracedDelivery>, 'start'>;
  readonly circuits: Pick<StartMissing<FailingDestination>, 'start'>;
  readonly stopping: AbortSignal;
  readonly listAbandoned: (since: Date) => Promise<readonly string[]>;
  readonly listAbandonedCircuits: (since: Date) => Promise<readonly string[]>;
  readonly log: Log;
}

const INTERVAL_MS = 3_000;
/** Collects changes of several destinations. Each sweep also notifies the pumps of a change. */
const SOON_MS = 100;
/** Rest after a sweep, in times of its duration: it reads every destination that has deliveries to retry. */
const REST_TIMES = 10;
/** Leaves a running workflow time to start its attempt. */
const OVERDUE_MS = 5_000;
/** Longer than a probe, because a workflow's wait begins after its probe. */
const CIRCUIT_OVERDUE_MS = 15_000;
/** In each shard. As many as a destination has workflows. */
const MAX_ADOPTED = MAX_WORKFLOWS_PER_DESTINATION;
/** Covers visibility lag and a restart of the worker. */
const CLOSED_WITHIN_MS = 10 * 60_000;
const MAX_LEFT_BATCHES = 4;

export function createAdoption(deps: AdoptionDeps): Adoption {
  const { pool, idKey, promotion, log } = deps;
  let watchedShards: () => readonly number[] = () => [];
  let soon: NodeJS.Timeout | undefined;
  let restUntilMs = 0;
  const endVoid = unlessRunning(endVoidOfWatched);
  const sweep = unlessRunning(adoptOverdue);

  return {
    watch(shards) {
      watchedShards = shards;
      const timer = setInterval(() => {
        endWatched();
        sweep().catch(logFailed);
      }, INTERVAL_MS);
      return () => clearInterval(timer);
    },
    endVoidSoon() {
      soon ??= setTimeout(
        () => {
          soon = undefined;
          endWatched();
        },
        Math.max(SOON_MS, restUntilMs - performance.now()),
      );
    },
    async adoptClosed() {
      await adoptClosedRuns();
      await endUnreadable();
    },
  };

  function endWatched(): void {
    if (watchedShards().length > 0) endVoid().catch(logFailed);
  }

  async function endVoidOfWatched(): Promise<void> {
    const beganMs = performance.now();
    await endVoidOf(() => watchedShards());
    const endedMs = performance.now();
    restUntilMs = endedMs + Math.min(REST_TIMES * (endedMs - beganMs), INTERVAL_MS);
  }

  async function adoptOverdue(): Promise<void> {
    const shards = watchedShards();
    await promotion.start(await findOverdue(pool, idKey, { shards, overdueMs: OVERDUE_MS, limit: MAX_ADOPTED }));
    const circuits = { shards, overdueMs: CIRCUIT_OVERDUE_MS, limit: MAX_ADOPTED };
    await deps.circuits.start(await findOverdueCircuits(pool, circuits));
  }

  function logFailed(error: unknown): void {
    log.warn('adoption.sweepFailed', { error });
  }

  /** No pump serves listeners. */
  async function endUnreadable(): Promise<void> {
    let count = await endVoidOf(() => (deps.stopping.aborted ? [] : [LISTENER_SHARD]));
    for (let batch = 0; batch < MAX_LEFT_BATCHES; batch++) {
      const left = await endLeftListenerDeliveries(pool);
      count += left.count;
      if (left.isAll) break;
    }
    if (count > 0) log.info('listenerDeliveries.ended', { count });
  }

  /** Returns how many deliveries it has ended. The shards of a worker change while it ends a backlog. */
  async function endVoidOf(shards: () => readonly number[]): Promise<number> {
    for (let count = 0; ;) {
      const { cancelledCount, skippedCount, workflowIds, isAll } = await endVoidDeliveries(pool, shards());
      count += cancelledCount + skippedCount;
      deps.meter?.moved('cancelled', cancelledCount);
      deps.meter?.moved('skipped', skippedCount);
      const deliveryIds = workflowIds.map((number) => sequencedId(idKey, 'delivery', number));
      // Not awaited: Temporal may be unavailable. A workflow that is not woken finds the end when its retry is due.
      if (deliveryIds.length > 0) void wakeDeliveries(deliveryIds, { wake: deps.wakeDelivery });
      if (isAll) return count;
    }
  }

  async function adoptClosedRuns(): Promise<void> {
    const since = new Date(Date.now() - CLOSED_WITHIN_MS);
    const deliveryIds = await deps.listAbandoned(since);
    const numbers = deliveryIds.map((id) => sequenceOf(idKey, 'delivery', id)).filter((id) => id !== undefined);
    await promotion.start(await findFailedDeliveries(pool, idKey, numbers));
    await deps.circuits.start(await findOpenCircuitsNamed(pool, await deps.listAbandonedCircuits(since)));
  }
}

/** Does nothing while an earlier call runs. */
function unlessRunning(act: () => Promise<unknown>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await act();
    } finally {
      isRunning = false;
    }
  };
}
