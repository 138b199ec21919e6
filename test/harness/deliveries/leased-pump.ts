import { setTimeout as sleep } from 'node:timers/promises';
import { createLease, leaseNow } from '../../../activities/pump/lease.ts';
import {
  type PumpCounts,
  type PumpDeps,
  startWorkerPump,
  type WorkerPump,
} from '../../../activities/pump/worker-pump.ts';
import { allShards } from '../../../contract/deliveries/shards.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { joinFleet } from '../../../db/ledger/shards/fleet.ts';
import { acquireLeases } from '../../../db/ledger/shards/shard-leases.ts';
import { renewedFences } from './a-lease.ts';

export interface LeasedPumpDeps extends Omit<PumpDeps, 'lease'> {
  /** Of the leases. */
  readonly pool: HotPool;
}

export interface LeasedPumpRun {
  /** Optional. Default: all. */
  readonly shards?: readonly number[];
  readonly signal: AbortSignal;
  /** Optional. Called once the pump has begun. */
  readonly onPump?: (pump: WorkerPump) => void;
}

const RENEW_MS = 1_000;
const RETRY_MS = 20;
/** No pause of the machine and no jump of a test's clock lasts as long. The leases of the database must be extended too. */
const EXTENSION_MS = 365 * 86_400_000;

/** Runs one pump as a fleet does: acquires the shards when they are free, renews them, and hands them over on `signal`. */
export async function runLeasedPump(
  deps: LeasedPumpDeps,
  { shards = allShards, signal, onPump }: LeasedPumpRun,
): Promise<PumpCounts> {
  const lease = createLease();
  lease.renewed(leaseNow() + EXTENSION_MS);
  const pump = startWorkerPump({ ...deps, lease });
  onPump?.(pump);
  await acquireWhenFree(deps, { pump, shards, signal });
  const timer = setInterval(() => void renew(deps, pump), RENEW_MS);
  const stop = (): void => void pump.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void pump.stopped.then(() => clearInterval(timer));
  await pump.ended;
  return pump.counts();
}

interface Acquisition extends LeasedPumpRun {
  readonly pump: WorkerPump;
  readonly shards: readonly number[];
}

async function acquireWhenFree({ pool, holder }: LeasedPumpDeps, { pump, shards, signal }: Acquisition): Promise<void> {
  for (let wanted = shards; wanted.length > 0 && !signal.aborted;) {
    const fences = await acquire(wanted);
    if (fences.size === 0) await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    pump.serve(Array.from(fences, ([shard, fence]) => ({ shard, fence })));
    wanted = wanted.filter((shard) => !fences.has(shard));
  }

  async function acquire(wanted: readonly number[]): Promise<ReadonlyMap<number, number>> {
    try {
      await joinFleet(pool, { holder, roles: ['pump'] });
      return await acquireLeases(pool, { shards: wanted, holder });
    } catch {
      return new Map();
    }
  }
}

async function renew({ pool, holder, log }: LeasedPumpDeps, pump: WorkerPump): Promise<void> {
  const fences = await renewedFences(pool, holder).catch(() => undefined);
  if (!fences) return;
  const lost = pump.renewed(fences);
  if (lost.length === 0) return;
  log.warn('lease.lost', { count: lost.length });
  if (pump.shards().length === 0) await pump.stop();
}
