import { setTimeout as sleep } from 'node:timers/promises';
import { allShards, SHARD_COUNT } from '../../contract/deliveries/shards.ts';
import type { DeliveryNotifications } from '../../db/core/delivery-notifications.ts';
import type { FleetState, WorkerRole } from '../../db/ledger/shards/fleet.ts';
import { fencesOf, LEASES_CHANGED } from '../../db/ledger/shards/shard-leases.ts';
import type { Log } from '../../process/log.ts';
import { type Lease, leaseNow } from './lease.ts';
import type { FleetLedger } from './ledger/pump-ledger.ts';
import { createWakeSignal } from './wake-signal.ts';
import type { WorkerPump } from './worker-pump.ts';

/**
 * Gives the pump of a worker its share of the shards. Each round renews the leases and compares the shards that the pump
 * serves with the worker's share: it acquires the free shards that are assigned to it and hands over what it has beyond
 * its share. All workers decide alike from the same rows, so that no leader is needed, and Temporal plays no part:
 * deliveries continue without it.
 */
export interface PumpFleet {
  readonly pump: WorkerPump;
  /** False if the worker has served no shard for 30 s although it should, or cannot renew its leases. */
  isServing(): boolean;
  /** How long the worker has served no shard although it should, or has not renewed its leases. About a second at most. */
  idleMs(): number;
  /** How long ago the worker last began a round, whether or not the database answered the one before. */
  turnedAgoMs(): number;
  /** Hands all shards over at once. Resolves when the answers to all requests are in the ledger. */
  stop(): Promise<void>;
}

export interface PumpFleetDeps {
  readonly ledger: FleetLedger;
  readonly wake: DeliveryNotifications;
  readonly holder: string;
  readonly roles: readonly WorkerRole[];
  /** Optional. Where the worker takes offers. Default: it takes none. */
  readonly offersAddress?: string | undefined;
  readonly pump: WorkerPump;
  /** Of the pump. */
  readonly lease: Lease;
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
  /** Optional. Called with the number of live workers with the role `pump`. */
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
  const { ledger, holder, pump, lease, log, now = () => performance.now(), clock = () => Date.now() } = deps;
  const wakeSignal = createWakeSignal();
  const unsubscribe = deps.wake.subscribe((shards, change) => {
    if (change === 'unknown' || shards.includes(LEASES_CHANGED)) void wakeSoon();
  });
  /** The worker has a row among those that share the shards. */
  let hasJoined = false;
  let isAside = false;
  let isStopping = false;
  let roundAtMs = now();
  let servingAtMs = now();
  let turnedAtMs = now();
  const running = run();
  return { pump, isServing: () => idleMs() < MAX_IDLE_MS, idleMs, turnedAgoMs, stop };

  function idleMs(): number {
    return now() - Math.min(roundAtMs, servingAtMs);
  }

  function turnedAgoMs(): number {
    return now() - turnedAtMs;
  }

  async function run(): Promise<void> {
    while (!isStopping || pump.heldShards().length > 0) {
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
    const renewedAtMs = leaseNow();
    const isMember = hasJoined && (await ledger.renewLeases(holder));
    const askedAtMs = clock();
    const state = await ledger.readFleet(holder);
    const own = fencesOf(state.leases.filter((each) => each.holder === holder));
    if (isMember) lease.renewed(renewedAtMs);
    if (hasJoined) compareWith(own);
    hasJoined = isMember;
    if (isStopping) return;
    const aheadMs = aheadBy({ askedAtMs, answeredAtMs: clock(), nowMs: state.nowMs });
    deps.onClock?.(aheadMs);
    if (Math.abs(aheadMs) > MAX_CLOCK_DIFFERENCE_MS) return await standAside(aheadMs);
    isAside = false;
    if (!hasJoined) return await join(state);
    deps.onWorkerCount?.(Math.max(state.live.length, 1));
    const { take, surplus } = shareShards(state, holder);
    if (isStopping) return;
    const served = pump.shards();
    // The others are being handed over.
    const servedCount = served.filter((shard) => own.has(shard)).length;
    void giveUp(lastOf(served, surplus - (own.size - servedCount)));
    await acquire(take);
    roundAtMs = now();
    deps.onRound?.(roundAtMs - turnedAtMs);
    if (pump.shards().length > 0 || take.length === 0) servingAtMs = roundAtMs;
  }

  async function join(state: FleetState): Promise<void> {
    if (!mayJoin(state, deps)) return;
    await ledger.joinFleet(deps);
    hasJoined = true;
    wakeSignal.wake();
  }

  /** The other workers share the shards until the clock is right. */
  async function standAside(aheadMs: number): Promise<void> {
    if (!isAside) log.error('clock.refused', { holder, aheadMs: Math.round(aheadMs) });
    isAside = true;
    if (!hasJoined) return;
    hasJoined = false;
    await giveUp(pump.shards());
    await leave();
  }

  function compareWith(fences: ReadonlyMap<number, number>): void {
    const lost = pump.renewed(fences);
    if (lost.length > 0) log.warn('lease.lost', { holder, count: lost.length });
  }

  async function acquire(shards: readonly number[]): Promise<void> {
    const own = new Set(pump.heldShards());
    const wanted = shards.filter((shard) => !own.has(shard));
    const fences = await ledger.acquireLeases({ shards: wanted, holder });
    pump.serve(Array.from(fences, ([shard, fence]) => ({ shard, fence })));
    if (isStopping) await giveUp(pump.shards());
  }

  async function giveUp(shards: readonly number[]): Promise<void> {
    await pump.giveUp(shards);
    if (isStopping) wakeSignal.wake();
  }

  /** The worker renews its leases, and has its row, until they are released. */
  async function stop(): Promise<void> {
    isStopping = true;
    unsubscribe();
    const stopped = pump.stop();
    void pump.stopped.then(wakeSignal.wake);
    wakeSignal.wake();
    await running;
    await leave();
    await stopped;
  }

  /** Others must not count this worker when they share its shards. */
  async function leave(): Promise<void> {
    await ledger.leaveFleet(holder).catch((error: unknown) => log.warn('worker.leaveFailed', { error }));
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
 * rows: of w live workers, the number of shards mod w serve one shard more than the others. Those who hold most keep
 * most, so that few shards move. Each free shard is assigned to one worker, so that workers do not compete.
 */
export function shareShards({ live, leases }: FleetState, holder: string): Share {
  if (!live.includes(holder)) return { take: [], surplus: 0 };
  const held = new Map(live.map((each) => [each, 0]));
  for (const lease of leases) {
    const count = held.get(lease.holder);
    if (count !== undefined) held.set(lease.holder, count + 1);
  }
  const ranked = [...held].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const room = ranked.map(([each, count], rank) => ({ each, room: targetOf(rank, live.length) - count }));
  const busy = new Set(leases.map(({ shard }) => shard));
  const free = allShards.filter((shard) => !busy.has(shard));
  const take: number[] = [];
  for (const { each, room: count } of room) {
    const assigned = free.splice(0, Math.max(count, 0));
    if (each === holder) take.push(...assigned);
  }
  const own = room.find(({ each }) => each === holder)!;
  return { take, surplus: Math.max(-own.room, 0) };
}

function targetOf(rank: number, workerCount: number): number {
  return Math.floor(SHARD_COUNT / workerCount) + (rank < SHARD_COUNT % workerCount ? 1 : 0);
}
