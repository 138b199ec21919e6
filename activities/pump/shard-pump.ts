import { BodyUnreadable } from '../../db/core/body-box.ts';
import type { ClaimedDelivery } from '../../db/ledger/claims/claimed-delivery.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { createHeldConversations, type HeldConversations } from './held-conversations.ts';
import { overdueMsOf, SETTLE_MS } from '../../db/ledger/shards/hand-over.ts';
import { countDestinations } from '../../db/ledger/shards/shard-leases.ts';
import type { DeliveryNotifications } from '../../db/core/delivery-notifications.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { NotSent, type SendDelivery } from '../deliveries/send-delivery.ts';
import { createWakeSignal, untilPoll, type WakeSignal } from './wake-signal.ts';
import type { PumpStart, ShardPump } from './pump-fleet.ts';
import type { ShortRetries } from './short-retries.ts';
import { createPostponeUnreadable, type PostponeUnreadable } from './postpone-unreadable.ts';
import type { AcceptedOutcomes } from './outcomes/accepted-outcomes.ts';
import { createFailedOutcomes } from './outcomes/failed-outcomes.ts';
import type { Outcome } from './outcomes/outcome.ts';
import type { SharedClaims } from './shared-claims.ts';
import { answerOf } from './allowance.ts';
import { createDebounce } from './debounce.ts';
import { createInFlightWindow, type WindowLimits } from './in-flight-window.ts';
import { createFirstAttemptDelays, type FirstAttemptDelays } from './first-attempt-delays.ts';
import { createMoves } from '../resharding/moves.ts';
import { createShardRelease } from './release-shard.ts';
import type { WorkspaceSlots } from './limits/workspace-slots.ts';
import type { Log } from '../../process/log.ts';

/**
 * A pump serves one shard under a lease: it claims pending rows, posts them in parallel and settles their outcomes in
 * batches. When it stops, it hands the shard over at once and settles the answers to its last requests afterwards. It
 * never waits for Temporal; adoption later starts the workflows of deliveries that failed during an outage.
 */
export interface PumpSettings {
  readonly scheduleMs: readonly number[];
  readonly conversationHoldMs: number;
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  readonly probeDelaysMs: readonly number[];
  readonly failingDisableMs: number;
  /** Deadline of one request. The next pump skips a request in flight until some seconds later. */
  readonly attemptTimeoutMs: number;
}

export interface PumpDeps {
  readonly pool: HotPool;
  readonly wake: DeliveryNotifications;
  readonly sendDelivery: SendDelivery;
  /** Must not block. */
  readonly promote: (ids: ReadonlySet<number>) => void;
  readonly signalCircuits: (destinationIds: readonly number[]) => void;
  /** Optional. Called when a destination has changed, which may void its deliveries. Must not block. */
  readonly onChanged?: () => void;
  readonly settings: PumpSettings;
  /** Optional. Shared by the pumps of a process. Default: slots of this pump alone. */
  readonly workspaceSlots?: WorkspaceSlots | undefined;
  readonly claims: SharedClaims;
  readonly acceptedOutcomes: AcceptedOutcomes;
  readonly shortRetries: ShortRetries;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
  readonly holder: string;
}

/** Covers lost notifications. Expired holds are noticed at this interval. */
const POLL_MS = 250;
/** While nothing is pending: a worker may serve many idle shards. */
const IDLE_POLL_MS = 500;
/** Most rows held per in-flight slot. A destination that settles less in the time of a claim holds fewer. */
const MAX_HELD_PER_SLOT = 4;
const MAX_CLAIM_ROWS = 512;
const INSTALLATION_FAULT_WAIT_MS = 5_000;

export function startShardPump(deps: PumpDeps, start: PumpStart): ShardPump {
  const { shard, lease } = start;
  const log = deps.log.child({ shard });
  log.info('pump.started', { fence: lease.fence });
  const overdueMs = deps.settings.attemptTimeoutMs + SETTLE_MS;
  const postponeUnreadable = createPostponeUnreadable({ ...deps, log });
  const conversations = createHeldConversations({ pool: deps.pool, shard, fence: lease.fence });
  const delays = deps.meter && createFirstAttemptDelays({ meter: deps.meter.pump });
  const wakeSignal = createWakeSignal();
  const pump = createPump({ ...deps, log, overdueMs, postponeUnreadable, conversations, delays, wakeSignal }, start);
  const unsubscribe = deps.wake.subscribe(shard, pump.wake);
  const stopped = pump.run().finally(unsubscribe);
  const ended = stopped.then(async () => {
    await pump.drain().finally(pump.close);
    log.info('pump.ended', { fence: lease.fence, ...pump.counts() });
    return await pump.report();
  });
  const { sendReady: leaseRenewed, report: progress, setMoving, turnedAgoMs, stop } = pump;
  return { shard, lease, stopped, ended, leaseRenewed, setMoving, progress, turnedAgoMs, stop };
}

interface PumpParts extends PumpDeps {
  readonly overdueMs: number;
  readonly postponeUnreadable: PostponeUnreadable;
  readonly conversations: HeldConversations;
  readonly delays: FirstAttemptDelays | undefined;
  readonly wakeSignal: WakeSignal;
}

function createWindow({ settings, workspaceSlots }: PumpDeps, calls: Pick<WindowLimits, 'onFull' | 'onSlotsFree'>) {
  const destinationHeld = settings.destinationInFlight * MAX_HELD_PER_SLOT;
  return createInFlightWindow<ClaimedDelivery>({ ...settings, destinationHeld, workspaceSlots, ...calls });
}

type SettledRow = Pick<Outcome, 'row'> & Partial<Outcome>;

function createPump(deps: PumpParts, { shard, lease }: PumpStart) {
  const { pool, settings, log, holder, overdueMs, conversations, delays, wakeSignal } = deps;
  const window = createWindow(deps, { onSlotsFree: sendReady, onFull: delays?.heldBack });
  const release = createShardRelease({ pool, shard, holder, lease, overdueMs, log });
  const failedOutcomes = createFailedOutcomes({
    ...deps,
    ...settings,
    shard,
    fence: lease.fence,
    onCircuits: deps.signalCircuits,
    onSettled: (outcomes) => onSettled(outcomes, 'failed'),
    onOpen: (destinationIds) => destinationIds.forEach(window.drop),
    onShortRetry: (atMs) => retries.scheduled(atMs),
  });
  const debounce = createDebounce({ ...deps, shard, lease, window, sendReady, claim: () => wake(), wakeSignal });
  const retries = deps.shortRetries.serve({ shard, lease, onReleased: () => wake() });
  let released: Promise<void> | undefined;
  let claimDue = true;
  let isIdle = false;
  let settledCount = 0;
  let turnedAtMs = performance.now();
  const sent = new Map<number, ClaimedDelivery>(); // and not yet settled in the ledger
  const moves = createMoves({ pool, shard, lease, overdueMs, sent, release, conversations, window, log });
  const counts = () => ({ settledCount, ...failedOutcomes.counts(), heldCount: window.heldCount() });
  let fullDestinationIds: ReadonlySet<number> = new Set();
  const report = async () => ({ destinationCount: await countDestinations(pool, shard), ...counts() });
  const turnedAgoMs = () => performance.now() - turnedAtMs;
  return { run, drain, stop, wake, report, counts, sendReady, turnedAgoMs, setMoving: moves.set, close: window.close };

  async function run(): Promise<void> {
    while (!released) {
      turnedAtMs = performance.now();
      if (moves.isMoving()) await debounce.idle();
      claimDue = (await moves.step()) || claimDue;
      debounce.start();
      if (claimDue) await claim();
      const passed = claimDue || (await wakeSignal.wait(untilPoll(isIdle ? IDLE_POLL_MS : POLL_MS)));
      claimDue ||= !passed;
    }
    await released;
  }

  async function claim(): Promise<void> {
    claimDue = false;
    const maxRows = Math.min(MAX_CLAIM_ROWS, window.freeCount());
    if (maxRows <= 0 || !lease.isValid()) return;
    try {
      await conversations.release();
      const room = {
        room: debounce.leaveOut(window.room()),
        heldCounts: window.heldCounts(),
        defaultRoom: window.firstRoom(),
      };
      const request = { shard, heldIds: window.heldIds(), ...room, maxRows };
      window.claimBegins();
      const beganMs = performance.now();
      const claimed = await deps.claims.claim(request);
      deps.meter?.pump.claimed({ shard, durationMs: performance.now() - beganMs });
      if (delays) claimed.heldDestinationIds.forEach(delays.heldBack);
      fullDestinationIds = claimed.fullDestinationIds;
      window.add(debounce.withoutDebounced(claimed.deliveries));
      isIdle = window.heldCount() === 0;
      sendReady();
      claimDue ||= claimed.isCut;
      claimDue ||= await conversations.park(claimed.heldDestinationIds, window.heldIds());
    } catch (error) {
      log.error('delivery.claimFailed', { error });
    }
  }

  function sendReady(): void {
    if (released || !lease.isValid()) return;
    for (const row of window.take()) void send(row);
  }

  async function send(row: ClaimedDelivery): Promise<void> {
    for (const one of deliveriesOf(row)) sent.set(one.id, one);
    try {
      const attempt = await deps.sendDelivery(row, row.attemptCount + 1, release.permits.of(row.destinationId));
      delays?.attempted(row, attempt);
      if (attempt.outcome === 'accepted') {
        window.accepted(row);
        sendReady();
        deps.acceptedOutcomes.add({ row, attempt, onSettled }, window.needsSettlement(row.destinationId));
      } else {
        failedOutcomes.add({ row, attempt });
      }
    } catch (error) {
      if (error instanceof BodyUnreadable && (await deps.postponeUnreadable(error.deliveryNumber ?? row.id, error)))
        return onSettled([{ row }], 'passed');
      if (error instanceof NotSent && error.reason === 'withdrawn') {
        window.settled(row, 'passed');
        window.drop(row.destinationId); // the row must be claimed again before those behind it are sent
        return ended([row]);
      }
      log.error('delivery.sendFailed', { error, deliveryNumber: row.id }); // an internal error, not counted as an attempt
      setTimeout(() => window.settled(row, 'failed'), INSTALLATION_FAULT_WAIT_MS).unref();
      ended([row]);
    }
  }

  function onSettled(outcomes: readonly SettledRow[], outcome: 'accepted' | 'failed' | 'passed' = 'accepted'): void {
    settledCount += outcomes.length;
    for (const { row, attempt } of outcomes) window.settled(row, attempt ? answerOf(attempt) : outcome);
    ended(outcomes.map(({ row }) => row));
    debounce.settled(outcomes);
    sendReady();
    if (window.hasRoomFor(fullDestinationIds)) wake();
  }

  function ended(rows: readonly ClaimedDelivery[]): void {
    const ids = rows.flatMap(deliveriesOf).map(({ id }) => id);
    for (const id of ids) sent.delete(id);
    moves.settled(ids);
    if (!released) return;
    release.settled(ids);
    wakeSignal.wake();
  }

  function wake(changedDestinationId?: number): void {
    if (changedDestinationId !== undefined) {
      window.drop(changedDestinationId);
      debounce.forget(changedDestinationId);
      deps.onChanged?.();
    }
    debounce.wake();
    claimDue = true;
    wakeSignal.wake();
  }

  function stop(): Promise<void> {
    retries.close();
    debounce.close();
    released ??= release.release(sent);
    wakeSignal.wake();
    return released;
  }

  async function drain(): Promise<void> {
    const untilMs = performance.now() + overdueMsOf(sent.values(), overdueMs);
    while (sent.size > 0 && performance.now() < untilMs) await wakeSignal.wait(POLL_MS);
    if (sent.size > 0) failedOutcomes.abandon();
    await Promise.all([release.idle(), moves.idle()]);
  }
}

/** The deliveries in one request. */
function deliveriesOf(row: ClaimedDelivery): readonly ClaimedDelivery[] {
  return row.following ? [row, ...row.following] : [row];
}
