import { setTimeout as sleep } from 'node:timers/promises';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createPumpActivities, createPumpViews, type PumpViews } from '../activities/pump/pump-activities.ts';
import type { PumpFleet } from '../activities/pump/pump-fleet.ts';
import { pumpQueueOf } from '../contract/task-queues.ts';
import type { HotPool } from '../db/core/hot-pool.ts';
import { isRetired } from '../db/ledger/shards/fleet.ts';
import type { Log } from '../process/log.ts';
import type { WorkerStarts } from '../workflow-starts/worker-starts.ts';
import { reasonOf } from './upkeep/lead-upkeep.ts';
import { runUntilStopped } from './run-until-stopped.ts';

export interface ShowPumps {
  readonly fleet: PumpFleet;
  readonly pool: HotPool;
  readonly holder: string;
  readonly workerOptions: Omit<WorkerOptions, 'taskQueue'> & { readonly connection: NativeConnection };
  readonly starts: WorkerStarts;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** Below the interval of the heartbeats, so that each of them is sent, and no more. */
const HEARTBEAT_THROTTLE = '20s';
/** Their number can change. */
const MAX_SHARDS = 256;
const SIGNAL_ROUND_MS = 2_000;
/** An activity that is not picked up times out within a minute. */
const MAX_SIGNAL_WAIT_MS = 60_000;

/** Shows the worker's pumps in the workflows of their shards. Nothing here decides who serves a shard. */
export async function showPumps(options: ShowPumps): Promise<void> {
  const { fleet, pool, holder, workerOptions, stopping } = options;
  const views = createPumpViews();
  const worker = await Worker.create({
    ...workerOptions,
    taskQueue: pumpQueueOf(holder),
    activities: createPumpActivities({ fleet, views, isRetired: (shard) => isRetired(pool, shard), stopping }),
    maxConcurrentActivityTaskExecutions: 2 * MAX_SHARDS,
    maxConcurrentActivityTaskPolls: 1,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  });
  await Promise.all([runUntilStopped(worker, stopping), signalHolder(options, views)]);
}

/** Signals the workflow of each shard that is served here without being shown, less and less often. */
async function signalHolder({ fleet, holder, starts, stopping, log }: ShowPumps, views: PumpViews): Promise<void> {
  const signalled = new Map<string, { readonly atMs: number; readonly waitMs: number }>();
  while (!stopping.aborted) {
    const held = fleet.pumps().map(({ shard, lease: { fence } }) => ({ shard, fence, name: `${shard}/${fence}` }));
    for (const name of [...signalled.keys()]) if (!held.some((each) => each.name === name)) signalled.delete(name);
    for (const { shard, fence, name } of held.filter((each) => !views.isShown(each.shard))) {
      const last = signalled.get(name);
      if (last && performance.now() - last.atMs < last.waitMs) continue;
      const waitMs = Math.min((last?.waitMs ?? SIGNAL_ROUND_MS) * 2, MAX_SIGNAL_WAIT_MS);
      signalled.set(name, { atMs: performance.now(), waitMs });
      await starts
        .signalShard({ shard, holder: { holder, fence } })
        .catch((error: unknown) => log.warn('shard.signalFailed', { shard, reason: reasonOf(error) }));
    }
    await sleep(SIGNAL_ROUND_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}
