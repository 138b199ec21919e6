import { BodyUnreadable } from '../../db/core/body-box.ts';
import { claimDeliveries, type ClaimedDelivery } from '../../db/ledger/claim.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { settleVoided } from '../../db/ledger/settle.ts';
import { countDestinations } from '../../db/ledger/shard-leases.ts';
import type { WakeListener } from '../../db/core/wake.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { SendDelivery } from '../deliveries/send-delivery.ts';
import { createGate } from './gate.ts';
import { waitForLease, type Lease } from './lease.ts';
import { createPutAside, type PutAside } from './put-aside.ts';
import { createOutcomeSettlers, type Outcome } from './outcomes.ts';
import { createWindow, type WindowLimits } from './window.ts';
import type { Log } from '../../process/log.ts';

/**
 * One pump serves one shard for some minutes: it takes the shard's lease, claims pending rows in batches, posts them in
 * parallel and settles their outcomes in bulk. It is woken by notifications, by its own settled rows making room, and by
 * a short poll as the net.
 *
 * It never waits for Temporal: while the server is away it goes on, and what fails meanwhile is left for adoption.
 */
export interface PumpSettings {
  /** The waits after the first, second, … failed attempt. */
  readonly scheduleMs: readonly number[];
  /** How long a failing head holds what is behind it in its conversation. */
  readonly conversationHoldMs: number;
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  /** The waits before the probes of a destination whose circuit is open. */
  readonly probeDelaysMs: readonly number[];
  /** How long a destination may fail without any success before it is disabled. */
  readonly failingDisableMs: number;
  /** After this a pump hands over to a fresh one, so that deploys and pauses take hold. */
  readonly handoverMs: number;
}

export interface PumpDeps {
  readonly pool: HotPool;
  readonly wake: WakeListener;
  readonly sendDelivery: SendDelivery;
  /** Told which deliveries went to the retry schedule; must not block. */
  readonly promote: (ids: ReadonlySet<number>) => void;
  /** Told which destinations' workflows have something to see to; must not block. */
  readonly lookAfter: (destinationIds: readonly number[]) => void;
  readonly settings: PumpSettings;
  /** Left out where nobody counts. */
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
  /** Names this pump in the lease, for people who look. */
  readonly holder: string;
}

/** What a pump has done so far, for people who look at it in the Temporal Web UI. */
export interface PumpProgress {
  /** Live destinations of the shard, busy or not. */
  readonly destinationCount: number;
  readonly settledCount: number;
  /** Deliveries that went to the retry schedule. */
  readonly promotedCount: number;
  /** Rows in memory now: on their way, or waiting for their turn. */
  readonly heldCount: number;
}

export interface PumpRun {
  readonly shard: number;
  /** Aborts when the pump should drain and end. */
  readonly signal: AbortSignal;
  /** Told every few seconds. */
  readonly onProgress?: (progress: PumpProgress) => void;
}

/** The net under lost notifications, and the grain at which holds end. */
const POLL_MS = 250;
const RENEW_MS = 1_000;
/** Often enough for somebody who watches the Web UI. */
const REPORT_MS = 5_000;
/** Twice the longest attempt: what has not answered by then is left to the next pump, which sends it again. */
const DRAIN_MS = 20_000;
/** Rows of one destination in memory, as a multiple of what may be in flight: enough to never run dry during a claim. */
const HELD_FACTOR = 4;
const MAX_CLAIM_ROWS = 512;
const MAX_HELD_ROWS = 8_192;
/** A row that could not even be sent through a fault of ours (an unknown key, say) is tried again after this. */
const OWN_FAULT_WAIT_MS = 5_000;

/** Serves a shard until `signal` aborts, the hand-over is due or the lease is lost; drains before it returns. */
export async function runShardPump(deps: PumpDeps, run: PumpRun): Promise<PumpProgress> {
  const { shard, signal } = run;
  const log = deps.log.child({ shard });
  const lease = await waitForLease({ pool: deps.pool, shard, holder: deps.holder, signal, log });
  if (!lease) return { destinationCount: 0, settledCount: 0, promotedCount: 0, heldCount: 0 };
  log.info('pump.started', { fence: lease.fence });
  const pump = createPump({ ...deps, log, putAside: createPutAside({ ...deps, log }) }, { shard, lease });

  const timers = [
    setTimeout(pump.end, deps.settings.handoverMs),
    setInterval(() => void pump.renew(), RENEW_MS),
    setInterval(() => void pump.report().then(run.onProgress, () => undefined), REPORT_MS),
  ];
  const unsubscribe = deps.wake.subscribe(shard, pump.wake);
  signal.addEventListener('abort', pump.end, { once: true });
  try {
    await pump.run();
    await pump.drain();
    return await pump.report();
  } finally {
    timers.forEach(clearTimeout);
    unsubscribe();
    signal.removeEventListener('abort', pump.end);
    await lease.release().catch((error: unknown) => log.warn('release.failed', { error }));
    log.info('pump.ended', { fence: lease.fence, ...pump.counts() });
  }
}

function windowLimits(settings: PumpSettings): WindowLimits {
  return { ...settings, destinationHeld: settings.destinationInFlight * HELD_FACTOR };
}

/** What a pump works with once it has its shard. */
interface PumpParts extends PumpDeps {
  readonly putAside: PutAside;
}

function createPump(deps: PumpParts, { shard, lease }: { shard: number; lease: Lease }) {
  const { pool, settings, log } = deps;
  const window = createWindow<ClaimedDelivery>(windowLimits(settings));
  const settlers = createOutcomeSettlers({
    ...{ ...deps, ...settings, shard, fence: lease.fence, onSettled },
    onCircuits: deps.lookAfter,
    onOpen: (destinationIds) => destinationIds.forEach(window.drop),
    onTroubled(ids) {
      totals.promotedCount += ids.size;
      if (ids.size > 0) deps.promote(ids);
    },
  });
  const gate = createGate();
  let ending = false;
  let claimDue = true;
  let inFlightCount = 0;
  const totals = { settledCount: 0, promotedCount: 0 };
  const counts = () => ({ ...totals, heldCount: window.heldCount() });
  /** Destinations that may have more rows than there was room for. */
  let fullDestinationIds: ReadonlySet<number> = new Set();

  return { run, drain, end, renew, wake, report, counts };

  async function report(): Promise<PumpProgress> {
    return { destinationCount: await countDestinations(pool, shard), ...counts() };
  }

  async function run(): Promise<void> {
    while (!ending) {
      if (claimDue) await claim();
      const passed = claimDue || (await gate.wait(POLL_MS));
      claimDue ||= !passed;
    }
  }

  async function claim(): Promise<void> {
    claimDue = false;
    const maxRows = Math.min(MAX_CLAIM_ROWS, MAX_HELD_ROWS - window.heldCount());
    if (maxRows <= 0 || !lease.isValid()) return;
    try {
      const request = { shard, heldIds: window.heldIds(), room: window.room(), defaultRoom: window.firstRoom, maxRows };
      window.claimBegins();
      const claimed = await claimDeliveries(pool, request);
      fullDestinationIds = claimed.fullDestinationIds;
      window.add(claimed.deliveries);
      sendReady();
      await settleVoided(pool, { shard, fence: lease.fence, voided: claimed.voided });
      for (const { end } of claimed.voided) deps.meter?.moved(end.status, 1);
      // There is more behind a cut, and behind rows that only had to be ended.
      claimDue ||= claimed.isCut || claimed.voided.length > 0;
    } catch (error) {
      log.error('claim.failed', { error });
    }
  }

  function sendReady(): void {
    if (ending || !lease.isValid()) return;
    for (const row of window.take()) void send(row);
  }

  async function send(row: ClaimedDelivery): Promise<void> {
    inFlightCount++;
    try {
      const attempt = await deps.sendDelivery(row, row.attemptCount + 1);
      if (attempt.outcome === 'accepted') {
        window.accepted(row);
        settlers.accepted.add({ row, attempt });
        sendReady();
      } else {
        settlers.failed.add({ row, attempt });
      }
    } catch (error) {
      if (error instanceof BodyUnreadable && (await deps.putAside(row.id, error)))
        return onSettled([{ row }], 'passed');
      log.error('delivery.failed', { error, deliveryNumber: row.id }); // a fault of ours: never charged
      setTimeout(() => window.settled(row, 'failed'), OWN_FAULT_WAIT_MS).unref();
    } finally {
      inFlightCount--;
      if (ending && inFlightCount === 0) gate.open();
    }
  }

  function onSettled(outcomes: readonly Pick<Outcome, 'row'>[], outcome: 'accepted' | 'failed' | 'passed'): void {
    totals.settledCount += outcomes.length;
    for (const { row } of outcomes) window.settled(row, outcome);
    sendReady();
    if (window.hasRoomFor(fullDestinationIds)) wake();
  }

  function wake(changedDestinationId?: number): void {
    if (changedDestinationId !== undefined) window.drop(changedDestinationId);
    claimDue = true;
    gate.open();
  }

  function end(): void {
    ending = true;
    gate.open();
  }

  async function renew(): Promise<void> {
    try {
      if (!(await lease.renew())) {
        log.warn('lease.lost', { fence: lease.fence });
        return end();
      }
      sendReady(); // rows may have waited for a lease that had run out while the database was away
    } catch (error) {
      log.warn('renewal.failed', { error });
    }
  }

  async function drain(): Promise<void> {
    const untilMs = performance.now() + DRAIN_MS;
    while (inFlightCount > 0 && performance.now() < untilMs) await gate.wait(POLL_MS);
    const late = setTimeout(
      () => [settlers.accepted, settlers.failed].forEach((settler) => settler.abandon()),
      DRAIN_MS,
    );
    await Promise.all([settlers.accepted.idle(), settlers.failed.idle()]);
    clearTimeout(late);
  }
}
