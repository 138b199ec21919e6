import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryNotifications } from '../../db/core/delivery-notifications.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { markGone, markSeen, readFleet, type WorkerRole } from '../../db/ledger/fleet.ts';
import { acquireLease, LEASES_CHANGED, renewLeases } from '../../db/ledger/shard-leases.ts';
import type { Log } from '../../process/log.ts';
import { createLease } from './lease.ts';
import { shareShards } from './share-shards.ts';
import type { PumpStart, ShardPump } from './shard-pump.ts';
import { createWakeSignal } from './wake-signal.ts';

/**
 * Runs the pumps of one worker. Each round renews the worker's leases, says that the worker is alive, and compares the
 * shards it serves with its share: it acquires the free shards that are assigned to it and hands over what it has
 * beyond its share. All workers decide alike from the same rows, so that no leader is needed, and Temporal plays no
 * part: deliveries continue without it.
 */
export interface PumpFleet {
  pumpOf(shard: number): ShardPump | undefined;
  pumps(): readonly ShardPump[];
  /** False if the worker has served no shard for 30 s although it should, or cannot renew its leases. */
  isServing(): boolean;
  /** Hands all shards over at once. Resolves when the answers to all requests are in the ledger. */
  stop(): Promise<void>;
}

export interface PumpFleetDeps {
  /** Its connections must not be shared with the pumps, whose statements would delay the renewal. */
  readonly pool: HotPool;
  readonly wake: DeliveryNotifications;
  readonly holder: string;
  readonly roles: readonly WorkerRole[];
  readonly startPump: (start: PumpStart) => ShardPump;
  /** Optional. Called with the number of live workers that run pumps. */
  readonly onWorkerCount?: (count: number) => void;
  readonly log: Log;
}

const ROUND_MS = 1_000;
const MAX_IDLE_MS = 30_000;

export function startPumpFleet(deps: PumpFleetDeps): PumpFleet {
  const { pool, holder, log } = deps;
  const pumps = new Map<number, ShardPump>();
  const draining = new Set<Promise<unknown>>();
  const wakeSignal = createWakeSignal();
  const unsubscribe = deps.wake.subscribe(LEASES_CHANGED, () => void wakeSoon());
  let isStopping = false;
  let roundAtMs = performance.now();
  let servingAtMs = performance.now();
  const running = run();

  return {
    pumpOf: (shard) => pumps.get(shard),
    pumps: () => [...pumps.values()],
    isServing: () => performance.now() - Math.min(roundAtMs, servingAtMs) < MAX_IDLE_MS,
    stop,
  };

  async function run(): Promise<void> {
    while (!isStopping) {
      await round().catch((error: unknown) => log.warn('lease.renewFailed', { error, holder }));
      await wakeSignal.wait(jittered(ROUND_MS));
    }
  }

  /** Spreads the workers' rounds after a notification that all of them get. */
  async function wakeSoon(): Promise<void> {
    await sleep(Math.random() * 50);
    wakeSignal.wake();
  }

  async function round(): Promise<void> {
    await renew();
    const state = await readFleet(pool);
    deps.onWorkerCount?.(Math.max(state.live.length, 1));
    const { take, surplus } = shareShards(state, holder);
    if (isStopping) return;
    const given = [...pumps.values()].slice(pumps.size - Math.min(surplus, pumps.size));
    await Promise.all([...given.map(giveUp), ...take.map(acquire)]);
    roundAtMs = performance.now();
    if (pumps.size > 0 || take.length === 0) servingAtMs = roundAtMs;
  }

  async function renew(): Promise<void> {
    const askedAtMs = performance.now();
    const given = [...pumps.values()];
    const leases = given.map(({ shard, lease }) => ({ shard, fence: lease.fence }));
    const [renewed] = await Promise.all([renewLeases(pool, { holder, leases }), markSeen(pool, deps)]);
    for (const pump of given) {
      if (renewed.has(pump.shard)) {
        pump.lease.renewed(askedAtMs);
        pump.leaseRenewed();
      } else if (pumps.get(pump.shard) === pump) {
        log.warn('lease.lost', { shard: pump.shard, fence: pump.lease.fence });
        pump.lease.end();
        void giveUp(pump);
      }
    }
  }

  async function acquire(shard: number): Promise<void> {
    if (pumps.has(shard)) return;
    const askedAtMs = performance.now();
    const fence = await acquireLease(pool, { shard, holder });
    if (fence === undefined) return;
    const pump = deps.startPump({ shard, lease: createLease({ fence, askedAtMs }) });
    pumps.set(shard, pump);
    if (isStopping) await giveUp(pump);
  }

  async function giveUp(pump: ShardPump): Promise<void> {
    pumps.delete(pump.shard);
    const ended = pump.ended.catch((error: unknown) => log.error('pump.failed', { error, shard: pump.shard }));
    draining.add(ended);
    void ended.then(() => draining.delete(ended));
    await pump.stop();
  }

  async function stop(): Promise<void> {
    isStopping = true;
    unsubscribe();
    wakeSignal.wake();
    await leave();
    await Promise.all([...pumps.values()].map(giveUp));
    await running;
    await leave(); // the last round may have returned the worker's row
    await Promise.all([...pumps.values()].map(giveUp)); // acquired by the last round
    await Promise.all(draining);
  }

  /** Others must not count this worker when they share its shards. */
  async function leave(): Promise<void> {
    await markGone(pool, holder).catch((error: unknown) => log.warn('worker.leaveFailed', { error }));
  }
}

function jittered(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4);
}
