import { BodyUnreadable } from '../../db/core/body-box.ts';
import { claimDeliveries, type ClaimedDelivery } from '../../db/ledger/claim.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { settleVoided } from '../../db/ledger/settle.ts';
import { countDestinations } from '../../db/ledger/shard-leases.ts';
import type { DeliveryNotifications } from '../../db/core/delivery-notifications.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { SendDelivery } from '../deliveries/send-delivery.ts';
import { createWakeSignal } from './wake-signal.ts';
import { waitForLease, type Lease } from './lease.ts';
import { createPostponeUnreadable, type PostponeUnreadable } from './postpone-unreadable.ts';
import { createOutcomeBatchers, type Outcome } from './record-outcomes.ts';
import { createInFlightWindow, type WindowLimits } from './in-flight-window.ts';
import type { Log } from '../../process/log.ts';

/**
 * A pump serves one shard for some minutes: it claims pending rows, posts them in parallel and settles their outcomes
 * in batches. It never waits for Temporal; adoption later starts the workflows of deliveries that failed during an
 * outage.
 */
export interface PumpSettings {
  readonly scheduleMs: readonly number[];
  readonly conversationHoldMs: number;
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  readonly probeDelaysMs: readonly number[];
  readonly failingDisableMs: number;
  /** A new pump starts after this time, so that deploys and pauses take effect. */
  readonly handoverMs: number;
}

export interface PumpDeps {
  readonly pool: HotPool;
  readonly wake: DeliveryNotifications;
  readonly sendDelivery: SendDelivery;
  /** Must not block. */
  readonly promote: (ids: ReadonlySet<number>) => void;
  readonly signalCircuits: (destinationIds: readonly number[]) => void;
  readonly settings: PumpSettings;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
  readonly holder: string;
}

export interface PumpProgress {
  readonly destinationCount: number;
  readonly settledCount: number;
  readonly promotedCount: number;
  readonly heldCount: number;
}

export interface PumpRun {
  readonly shard: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: PumpProgress) => void;
}

/** Covers lost notifications. Expired holds are noticed at this interval. */
const POLL_MS = 250;
const RENEW_MS = 1_000;
const REPORT_MS = 5_000;
/** Twice the longest attempt. The next pump repeats requests without a response by then. */
const DRAIN_MS = 20_000;
/** Rows held per in-flight slot, so that a destination does not run dry during a claim. */
const HELD_FACTOR = 4;
const MAX_CLAIM_ROWS = 512;
const MAX_HELD_ROWS = 8_192;
const INSTALLATION_FAULT_WAIT_MS = 5_000;

/** Serves a shard until `signal` aborts, the hand-over is due or the lease is lost, then drains. */
export async function runShardPump(deps: PumpDeps, run: PumpRun): Promise<PumpProgress> {
  const { shard, signal } = run;
  const log = deps.log.child({ shard });
  const lease = await waitForLease({ pool: deps.pool, shard, holder: deps.holder, signal, log });
  if (!lease) return { destinationCount: 0, settledCount: 0, promotedCount: 0, heldCount: 0 };
  log.info('pump.started', { fence: lease.fence });
  const pump = createPump(
    { ...deps, log, postponeUnreadable: createPostponeUnreadable({ ...deps, log }) },
    { shard, lease },
  );

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
    await lease.release().catch((error: unknown) => log.warn('lease.releaseFailed', { error }));
    log.info('pump.ended', { fence: lease.fence, ...pump.counts() });
  }
}

function windowLimits(settings: PumpSettings): WindowLimits {
  return { ...settings, destinationHeld: settings.destinationInFlight * HELD_FACTOR };
}

interface PumpParts extends PumpDeps {
  readonly postponeUnreadable: PostponeUnreadable;
}

function createPump(deps: PumpParts, { shard, lease }: { shard: number; lease: Lease }) {
  const { pool, settings, log } = deps;
  const window = createInFlightWindow<ClaimedDelivery>(windowLimits(settings));
  const batchers = createOutcomeBatchers({
    ...{ ...deps, ...settings, shard, fence: lease.fence, onSettled },
    onCircuits: deps.signalCircuits,
    onOpen: (destinationIds) => destinationIds.forEach(window.drop),
    onRetrying(ids) {
      totals.promotedCount += ids.size;
      if (ids.size > 0) deps.promote(ids);
    },
  });
  const wakeSignal = createWakeSignal();
  let ending = false;
  let claimDue = true;
  let inFlightCount = 0;
  const totals = { settledCount: 0, promotedCount: 0 };
  const counts = () => ({ ...totals, heldCount: window.heldCount() });
  let fullDestinationIds: ReadonlySet<number> = new Set();

  return { run, drain, end, renew, wake, report, counts };

  async function report(): Promise<PumpProgress> {
    return { destinationCount: await countDestinations(pool, shard), ...counts() };
  }

  async function run(): Promise<void> {
    while (!ending) {
      if (claimDue) await claim();
      const passed = claimDue || (await wakeSignal.wait(POLL_MS));
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
      // Claims again if the batch was full or rows were ended instead of sent.
      claimDue ||= claimed.isCut || claimed.voided.length > 0;
    } catch (error) {
      log.error('delivery.claimFailed', { error });
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
        batchers.accepted.add({ row, attempt });
        sendReady();
      } else {
        batchers.failed.add({ row, attempt });
      }
    } catch (error) {
      if (error instanceof BodyUnreadable && (await deps.postponeUnreadable(row.id, error)))
        return onSettled([{ row }], 'passed');
      log.error('delivery.sendFailed', { error, deliveryNumber: row.id }); // an internal error, not counted as an attempt
      setTimeout(() => window.settled(row, 'failed'), INSTALLATION_FAULT_WAIT_MS).unref();
    } finally {
      inFlightCount--;
      if (ending && inFlightCount === 0) wakeSignal.wake();
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
    wakeSignal.wake();
  }

  function end(): void {
    ending = true;
    wakeSignal.wake();
  }

  async function renew(): Promise<void> {
    try {
      if (!(await lease.renew())) {
        log.warn('lease.lost', { fence: lease.fence });
        return end();
      }
      sendReady(); // rows may have waited because the lease had expired while the database was unreachable
    } catch (error) {
      log.warn('lease.renewFailed', { error });
    }
  }

  async function drain(): Promise<void> {
    const untilMs = performance.now() + DRAIN_MS;
    while (inFlightCount > 0 && performance.now() < untilMs) await wakeSignal.wait(POLL_MS);
    const late = setTimeout(
      () => [batchers.accepted, batchers.failed].forEach((batcher) => batcher.abandon()),
      DRAIN_MS,
    );
    await Promise.all([batchers.accepted.idle(), batchers.failed.idle()]);
    clearTimeout(late);
  }
}
