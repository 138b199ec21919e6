import { setTimeout as sleep } from 'node:timers/promises';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import {
  createPumpActivities,
  createPumpViews,
  type PumpViews,
  type WatchedPump,
} from '../activities/pump/pump-activities.ts';
import { pumpQueueOf } from '../contract/task-queues.ts';
import type { HotPool } from '../db/core/hot-pool.ts';
import { readPumpStanding } from '../db/ledger/destinations/pump-standing.ts';
import type { Log } from '../process/log.ts';
import type { WorkerStarts } from '../workflow-starts/worker-starts.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { reasonOf } from './upkeep/lead-upkeep.ts';

export interface ShowPump {
  readonly pump: WatchedPump;
  readonly pool: HotPool;
  readonly holder: string;
  readonly workerOptions: Omit<WorkerOptions, 'taskQueue'> & { readonly connection: NativeConnection };
  readonly starts: Pick<WorkerStarts, 'start'>;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

const ROUND_MS = 2_000;
/** A view that is not picked up times out within a minute. */
const MAX_WAIT_MS = 60_000;
/** The view of a terminated run lasts until its end, beside that of the next run. */
const MAX_VIEWS = 2;

/** Shows the pump of this worker in a workflow. Nothing here decides which shards it serves. */
export async function showPump(options: ShowPump): Promise<void> {
  const { pump, pool, holder, workerOptions, stopping } = options;
  const views = createPumpViews();
  const readStanding = (shards: readonly number[]) =>
    readPumpStanding(pool, shards).catch((error: unknown) => {
      logFailure(options, error);
      throw error;
    });
  const worker = await Worker.create({
    ...workerOptions,
    taskQueue: pumpQueueOf(holder),
    activities: createPumpActivities({ pump, views, readStanding, stopping }),
    maxConcurrentActivityTaskExecutions: MAX_VIEWS,
    maxConcurrentActivityTaskPolls: 1,
  });
  await Promise.all([runUntilStopped(worker, stopping), keepShown(options, views)]);
}

/** Starts the workflow while no view runs here, less and less often. */
async function keepShown(options: ShowPump, views: PumpViews): Promise<void> {
  const { holder, starts, stopping } = options;
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let waitMs = 0;
  while (!stopping.aborted) {
    if (views.isShown()) {
      waitMs = 0;
    } else if (performance.now() - startedAtMs >= waitMs) {
      startedAtMs = performance.now();
      waitMs = Math.min(Math.max(waitMs, ROUND_MS) * 2, MAX_WAIT_MS);
      await starts.start('deliveryPump', { holder }).catch((error: unknown) => logFailure(options, error));
    }
    await sleep(ROUND_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

function logFailure({ holder, log }: ShowPump, error: unknown): void {
  log.warn('pump.showFailed', { holder, reason: reasonOf(error) });
}
