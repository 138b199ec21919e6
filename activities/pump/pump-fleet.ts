import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryNotifications } from '../../db/core/delivery-notifications.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { type FleetState, markGone, markSeen, readFleet, type WorkerRole } from '../../db/ledger/shards/fleet.ts';
import { acquireLeases, LEASES_CHANGED, renewLeases } from '../../db/ledger/shards/shard-leases.ts';
import type { Log } from '../../process/log.ts';
import { createFinishResharding } from './resharding.ts';
import { createLease, type Lease, leaseNow } from './lease.ts';
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
  /** How long the worker has served no shard although it should, or has not renewed its leases. About a second at most. */
  idleMs(): number;
  /** How long ago the worker last began a round, whether or not the database answered the one before. */
  turnedAgoMs(): number;
  /** Hands all shards over at once. Resolves when the answers to all requests are in the ledger. */
  stop(): Promise<void>;
}

export interface PumpProgress {
  readonly destinationCount: number;
  readonly settledCount: number;
  readonly promotedCount: number;
  readonly heldCount: number;
}

export interface PumpStart {
  readonly shard: number;
  readonly lease: Lease;
}

export interface ShardPump {
  readonly shard: number;
  readonly lease: Lease;
  /** Sends what has waited because the lease could not be renewed. */
  leaseRenewed(): void;
  setMoving(isMoving: boolean): void;
  progress(): Promise<PumpProgress>;
  /** Sends no further requests and hands the shard over. Resolves when another worker can take it. */
  stop(): Promise<void>;
  /** How long ago the pump's loop began its round. A second at most, unless the database is slow or the loop hangs. */
  turnedAgoMs(): number;
  /** Resolves when `stop` does. */
  readonly stopped: Promise<void>;
  /** Resolves when the outcomes of all requests are in the ledger. */
  readonly ended: Promise<PumpProgress>;
}

export interface PumpFleetDeps {
  /** Its connections must not be shared with the pumps, whose statements would delay the renewal. */
  readonly pool: HotPool;
  readonly wake: DeliveryNotifications;
  readonly holder: string;
  readonly roles: readonly WorkerRole[];
  readonly startPump: (start: PumpStart) => ShardPump;
  /** Optional. False while the process starts and is busy with it. Default: true. */
  readonly isStarted?: () => boolean;
  /** Optional. Monotonic milliseconds for `idleMs`. Default: `performance.now`. */
  readonly now?: () => number;
  /** Optional. Unix milliseconds. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Optional. Called with how far `clock` is ahead of the database's in each round. */
  readonly onClock?: ((aheadMs: number) => void) | undefined;
  /** Optional. Called with the duration of each round that succeeded. */
  readonly onRound?: ((durationMs: number) => void) | undefined;
  /** Optional. Called with the number of live workers that run pumps. */
  readonly onWorkerCount?: (count: number) => void;
  readonly log: Log;
}

const ROUND_MS = 1_000;
const MAX_IDLE_MS = 30_000;
/**
 * The times of retries and holds come from the worker's clock and are compared with the database's. Far below a hold, so
 * that a conversation keeps its order.
 */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

export function startPumpFleet(deps: PumpFleetDeps): PumpFleet {
  const { pool, holder, log, now = () => performance.now(), clock = () => Date.now() } = deps;
  const pumps = new Map<number, ShardPump>();
  /** Until their leases are released: they must not expire before, and no round waits for a release. */
  const leaving = new Set<ShardPump>();
  const draining = new Set<Promise<unknown>>();
  const wakeSignal = createWakeSignal();
  const finishResharding = createFinishResharding(deps);
  const unsubscribe = deps.wake.subscribe(LEASES_CHANGED, () => void wakeSoon());
  let hasJoined = false;
  let isAside = false;
  let isStopping = false;
  let roundAtMs = now();
  let servingAtMs = now();
  let turnedAtMs = now();
  const running = run();
  return {
    pumpOf: (shard) => pumps.get(shard),
    pumps: () => [...pumps.values()],
    isServing: () => idleMs() < MAX_IDLE_MS,
    idleMs,
    turnedAgoMs,
    stop,
  };

  function idleMs(): number {
    return now() - Math.min(roundAtMs, servingAtMs);
  }

  function turnedAgoMs(): number {
    return now() - turnedAtMs;
  }

  async function run(): Promise<void> {
    while (!isStopping || pumps.size + leaving.size > 0) {
      turnedAtMs = now();
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
    if (isStopping) return;
    const askedAtMs = clock();
    const state = await readFleet(pool);
    const aheadMs = aheadBy({ askedAtMs, answeredAtMs: clock(), nowMs: state.nowMs });
    deps.onClock?.(aheadMs);
    if (Math.abs(aheadMs) > MAX_CLOCK_DIFFERENCE_MS) return await standAside(aheadMs);
    isAside = false;
    if (!hasJoined) {
      hasJoined = mayJoin(state, deps);
      return hasJoined ? wakeSignal.wake() : undefined;
    }
    deps.onWorkerCount?.(Math.max(state.live.length, 1));
    const { take, surplus } = shareShards(state, holder);
    if (isStopping) return;
    for (const pump of givenUp({ pumps, leaving }, { ...state, surplus })) void giveUp(pump);
    await acquire(take);
    for (const pump of pumps.values()) pump.setMoving(state.isMoving);
    roundAtMs = now();
    deps.onRound?.(roundAtMs - turnedAtMs);
    if (pumps.size > 0 || take.length === 0) servingAtMs = roundAtMs;
    await finishResharding(state);
  }

  /** The other workers share the shards until the clock is right. */
  async function standAside(aheadMs: number): Promise<void> {
    if (!isAside) log.error('clock.refused', { holder, aheadMs: Math.round(aheadMs) });
    if (hasJoined) await leave();
    isAside = true;
    hasJoined = false;
    for (const pump of pumps.values()) void giveUp(pump);
  }

  async function renew(): Promise<void> {
    const askedAtMs = leaseNow();
    const held = [...pumps.values(), ...leaving];
    const leases = held.map(({ shard, lease }) => ({ shard, fence: lease.fence }));
    const seen = hasJoined && !isStopping ? markSeen(pool, deps) : undefined;
    const [renewed] = await Promise.all([renewLeases(pool, { holder, leases }), seen]);
    for (const pump of held) {
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

  async function acquire(shards: readonly number[]): Promise<void> {
    const own = new Set([...pumps.values(), ...leaving].map(({ shard }) => shard));
    const askedAtMs = leaseNow();
    const fences = await acquireLeases(pool, { shards: shards.filter((shard) => !own.has(shard)), holder });
    for (const [shard, fence] of fences) {
      const pump = deps.startPump({ shard, lease: createLease({ fence, askedAtMs }) });
      pumps.set(shard, pump);
      if (isStopping) void giveUp(pump);
    }
  }

  async function giveUp(pump: ShardPump): Promise<void> {
    pumps.delete(pump.shard);
    leaving.add(pump);
    const ended = pump.ended.catch((error: unknown) => log.error('pump.failed', { error, shard: pump.shard }));
    draining.add(ended);
    void ended.then(() => draining.delete(ended));
    await pump.stop();
    leaving.delete(pump);
    if (isStopping) wakeSignal.wake();
  }

  async function stop(): Promise<void> {
    isStopping = true;
    unsubscribe();
    wakeSignal.wake();
    await leave();
    await Promise.all([...pumps.values()].map(giveUp));
    await running;
    await leave(); // the last round may have returned the worker's row
    await Promise.all(draining);
  }

  /** Others must not count this worker when they share its shards. */
  async function leave(): Promise<void> {
    await markGone(pool, holder).catch((error: unknown) => log.warn('worker.leaveFailed', { error }));
  }
}

/** At least: the database has read its clock between the question and the answer. */
function aheadBy(times: { readonly askedAtMs: number; readonly answeredAtMs: number; readonly nowMs: number }): number {
  const { askedAtMs, answeredAtMs, nowMs } = times;
  return Math.max(askedAtMs - nowMs, 0) + Math.min(answeredAtMs - nowMs, 0);
}

/** A starting worker takes no shard from one that serves it, because its own start would delay the deliveries. */
function mayJoin({ live }: FleetState, { isStarted = () => true }: PumpFleetDeps): boolean {
  return live.length === 0 || isStarted();
}

interface ServedPumps {
  readonly pumps: ReadonlyMap<number, ShardPump>;
  readonly leaving: ReadonlySet<ShardPump>;
}

/** All pumps of retired shards, and the surplus of the others that is not leaving yet. */
function givenUp(
  { pumps, leaving }: ServedPumps,
  { shardCount, surplus }: { readonly shardCount: number; readonly surplus: number },
): readonly ShardPump[] {
  const isServed = ({ shard }: ShardPump): boolean => shard < shardCount;
  const retired = [...pumps.values()].filter((pump) => !isServed(pump));
  const leavingCount = [...leaving].filter(isServed).length;
  return [...retired, ...lastOf([...pumps.values()].filter(isServed), surplus - leavingCount)];
}

function lastOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  return count > 0 ? items.slice(-count) : [];
}

function jittered(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4);
}

export interface Share {
  /** Free shards to acquire. */
  readonly take: readonly number[];
  /** How many shards to hand over to others. */
  readonly surplus: number;
}

/**
 * Decides which shards a worker takes and how many it gives up. All workers compute the same targets from the same
 * rows: with n shards and w live workers, n mod w of them serve one shard more than the others. Those who hold most
 * keep most, so that few shards move. Each free shard is assigned to one worker, so that workers do not compete.
 */
export function shareShards({ shardCount, live, leases }: FleetState, holder: string): Share {
  if (!live.includes(holder)) return { take: [], surplus: 0 };
  const held = new Map(live.map((each) => [each, 0]));
  for (const lease of leases) {
    const count = held.get(lease.holder);
    if (count !== undefined) held.set(lease.holder, count + 1);
  }
  const ranked = [...held].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const room = ranked.map(([each, count], rank) => ({ each, room: targetOf(rank, { shardCount, live }) - count }));
  const busy = new Set(leases.map(({ shard }) => shard));
  const free = Array.from({ length: shardCount }, (_, shard) => shard).filter((shard) => !busy.has(shard));
  const take: number[] = [];
  for (const { each, room: count } of room) {
    const assigned = free.splice(0, Math.max(count, 0));
    if (each === holder) take.push(...assigned);
  }
  const own = room.find(({ each }) => each === holder)!;
  return { take, surplus: Math.max(-own.room, 0) };
}

function targetOf(rank: number, { shardCount, live }: Pick<FleetState, 'shardCount' | 'live'>): number {
  return Math.floor(shardCount / live.length) + (rank < shardCount % live.length ? 1 : 0);
}
