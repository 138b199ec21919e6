import { BodyUnreadable } from '../../db/core/body-box.ts';
import type { DeliveryNotifications, DestinationChange } from '../../db/core/delivery-notifications.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { ClaimedDelivery } from '../../db/ledger/claim.ts';
import { postponeUnreadable } from '../../db/ledger/load-delivery.ts';
import { overdueMsOf, SETTLE_MS } from '../../db/ledger/shards/hand-over.ts';
import { countDestinations } from '../../db/ledger/shards/shard-leases.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log } from '../../process/log.ts';
import { NotSent, type SendDelivery } from '../deliveries/send-delivery.ts';
import { answerOf } from './allowance.ts';
import { createDebounce } from './debounce.ts';
import { createFirstAttemptDelays } from './first-attempt-delays.ts';
import { createHandOvers } from './hand-overs.ts';
import { createHeldConversations } from './held-conversations.ts';
import { createInFlightWindow } from './in-flight-window.ts';
import type { WorkspaceSlots } from './limits/workspace-slots.ts';
import type { AcceptedOutcomes } from './outcomes/accepted-outcomes.ts';
import { createFailedOutcomes, type SettledFailures } from './outcomes/failed-outcomes.ts';
import type { Outcome } from './outcomes/outcome.ts';
import type { PumpProgress, PumpStart, ShardPump } from './pump-fleet.ts';
import { createShardMoves } from './resharding.ts';
import type { SharedClaims } from './shared-claims.ts';
import type { ShortRetries } from './short-retries.ts';
import { createWakeSignal, untilPoll } from './wake-signal.ts';

/**
 * A pump serves one shard under a lease, as a pipeline: it claims pending rows, admits those that have a slot, sends them
 * in parallel, and settles their outcomes in batches. All state of the shard changes here; the parts of the pump decide
 * and answer. When the pump stops, it hands the shard over at once and settles the answers to its last requests
 * afterwards. It never waits for Temporal; adoption later starts the workflows of deliveries that failed during an outage.
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

/** Covers lost wake-ups. Expired holds are noticed at this interval. */
const POLL_MS = 250;
/** While nothing is pending: a worker may serve many idle shards. */
const IDLE_POLL_MS = 500;
/** Most rows held per in-flight slot. A destination that settles less in the time of a claim holds fewer. */
const MAX_HELD_PER_SLOT = 4;
const MAX_CLAIM_ROWS = 512;
const INSTALLATION_FAULT_WAIT_MS = 5_000;

export function startShardPump(deps: PumpDeps, { shard, lease }: PumpStart): ShardPump {
  const { pool, settings, holder, acceptedOutcomes, meter } = deps;
  const { fence } = lease;
  const log = deps.log.child({ shard });
  const overdueMs = settings.attemptTimeoutMs + SETTLE_MS;
  const destinationHeld = settings.destinationInFlight * MAX_HELD_PER_SLOT;
  const { workspaceSlots } = deps;
  /** Sent, and not yet settled in the ledger. */
  const sent = new Map<number, ClaimedDelivery>();
  const wakeSignal = createWakeSignal();
  const window = createInFlightWindow<ClaimedDelivery>({
    ...settings,
    destinationHeld,
    workspaceSlots,
    onSlotsFree: sendReady,
  });
  const delays = meter && createFirstAttemptDelays({ meter: meter.pump });
  const conversations = createHeldConversations({ pool, shard, fence });
  const debounce = createDebounce({ onDue: wakeSignal.wake });
  const failedOutcomes = createFailedOutcomes({
    ...settings,
    pool,
    shard,
    fence,
    acceptedOutcomes,
    onSettled: failuresSettled,
    meter,
    log,
  });
  const retries = deps.shortRetries.serve({ shard, lease, onReleased: () => wake() });
  const handOvers = createHandOvers({ pool, shard, holder, lease, overdueMs, sent, log });
  const moves = createShardMoves({ pool, shard, log });
  let released: Promise<void> | undefined;
  let debouncedClaim: Promise<void> | undefined;
  let isClaimDue = true;
  let isIdle = false;
  let isMoving = false;
  let settledCount = 0;
  let promotedCount = 0;
  let turnedAtMs = performance.now();
  let fullDestinationIds: ReadonlySet<number> = new Set();

  log.info('pump.started', { fence });
  const unsubscribe = deps.wake.subscribe(shard, wake);
  const stopped = run().finally(unsubscribe);
  return {
    shard,
    lease,
    stopped,
    ended: stopped.then(end),
    leaseRenewed: sendReady,
    setMoving: (is) => void (isMoving = is),
    progress,
    turnedAgoMs: () => performance.now() - turnedAtMs,
    stop,
  };

  async function run(): Promise<void> {
    while (!released) {
      turnedAtMs = performance.now();
      isClaimDue = (await moveDestinations()) || isClaimDue;
      startDebouncedClaim();
      if (isClaimDue) await claim();
      const isWoken = isClaimDue || (await wakeSignal.wait(untilPoll(isIdle ? IDLE_POLL_MS : POLL_MS)));
      isClaimDue ||= !isWoken;
    }
    await released;
  }

  async function claim(): Promise<void> {
    isClaimDue = false;
    const maxRows = Math.min(MAX_CLAIM_ROWS, window.freeCount());
    if (maxRows <= 0 || !lease.isValid()) return;
    try {
      await conversations.release();
      const request = {
        shard,
        heldIds: window.heldIds(),
        room: debounce.leaveOut(window.room()),
        heldCounts: window.heldCounts(),
        defaultRoom: window.firstRoom(),
        maxRows,
      };
      window.claimBegins();
      const beganMs = performance.now();
      const claimed = await deps.claims.claim(request);
      meter?.pump.claimed({ shard, durationMs: performance.now() - beganMs });
      if (delays) claimed.heldDestinationIds.forEach(delays.heldBack);
      fullDestinationIds = claimed.fullDestinationIds;
      window.add(debounce.withoutDebounced(claimed.deliveries));
      isIdle = window.heldCount() === 0;
      sendReady();
      isClaimDue ||= claimed.isCut;
      isClaimDue ||= await conversations.park(claimed.heldDestinationIds, window.heldIds());
    } catch (error) {
      log.error('delivery.claimFailed', { error });
    }
  }

  /** Reads the debounced destinations, if it is time. Does not wait, because the claims of the others continue. */
  function startDebouncedClaim(): void {
    if (debouncedClaim || !debounce.isDue() || !lease.isValid() || window.freeCount() <= 0) return;
    const room = window.room();
    const firstRoom = window.firstRoom();
    const roomOf = (id: number): number => room.get(id) ?? firstRoom;
    const asked = debounce.next((id) => roomOf(id) > 0);
    if (asked.length === 0) return;
    debouncedClaim = claimDebounced(asked, roomOf).finally(() => (debouncedClaim = undefined));
  }

  async function claimDebounced(asked: readonly number[], roomOf: (id: number) => number): Promise<void> {
    try {
      const heldCounts = window.heldCounts();
      const destinations = asked.map((id) => {
        return { id, room: roomOf(id), heldCount: heldCounts.get(id), busyKeys: window.heldConversations(id) };
      });
      const maxRows = Math.min(MAX_CLAIM_ROWS, window.freeCount());
      window.debounceBegins();
      const request = { shard, heldIds: window.heldIds(), destinations, maxRows };
      const { deliveries, destinations: found, durationMs } = await deps.claims.claimDebounced(request);
      window.addDebounced(deliveries);
      const isWaiting = new Map(found.map((one) => [one.id, one.isWaiting]));
      for (const id of asked) {
        const hasNone = isWaiting.get(id) === false && window.heldConversations(id).length === 0;
        if (hasNone || !isWaiting.has(id)) debounce.forget(id);
      }
      if (found.length < asked.length) wake(); // forgotten destinations may have deliveries
      sendReady();
      const hiddenIds = found.filter(({ isHidden }) => isHidden).map(({ id }) => id);
      const hasParked = await conversations.park(hiddenIds, window.heldIds());
      const scanned = found.map(({ isCut, isHidden, nextInMs, ...one }) => ({
        ...one,
        nextInMs: isCut || (isHidden && hasParked) ? 0 : nextInMs,
      }));
      debounce.ended(asked, { durationMs, destinations: scanned });
    } catch (error) {
      log.error('delivery.gatherFailed', { error });
      debounce.ended(asked);
    }
  }

  function sendReady(): void {
    if (released || !lease.isValid()) return;
    for (const row of window.take(delays?.heldBack)) void send(row);
  }

  async function send(row: ClaimedDelivery): Promise<void> {
    for (const one of deliveriesOf(row)) sent.set(one.id, one);
    try {
      const attempt = await deps.sendDelivery(row, row.attemptCount + 1, handOvers.permitOf(row.destinationId));
      delays?.attempted(row, attempt);
      if (attempt.outcome !== 'accepted') return failedOutcomes.add({ row, attempt });
      window.accepted(row);
      sendReady();
      acceptedOutcomes.add({ row, attempt, onSettled: settled }, window.needsSettlement(row.destinationId));
    } catch (error) {
      await sendFailed(row, error);
    }
  }

  async function sendFailed(row: ClaimedDelivery, error: unknown): Promise<void> {
    if (error instanceof BodyUnreadable && (await postpone(error.deliveryNumber ?? row.id, error))) {
      return settled([{ row }], 'passed');
    }
    if (error instanceof NotSent && error.reason === 'withdrawn') {
      window.settled(row, 'passed');
      window.drop(row.destinationId); // the row must be claimed again before those behind it are sent
      return ended([row]);
    }
    log.error('delivery.sendFailed', { error, deliveryNumber: row.id }); // an internal error, not counted as an attempt
    setTimeout(() => window.settled(row, 'failed'), INSTALLATION_FAULT_WAIT_MS).unref();
    ended([row]);
  }

  /**
   * Lets the pump retry a delivery later, without counting an attempt. A missing key concerns all deliveries of a time,
   * which need no workflow each.
   */
  async function postpone(id: number, { keyId, code }: BodyUnreadable): Promise<boolean> {
    log.error('body.openFailed', { deliveryNumber: id, encryptionKeyId: keyId, errorCode: code });
    try {
      await postponeUnreadable(pool, id);
      return true;
    } catch (error) {
      log.warn('delivery.postponeFailed', { error });
      return false;
    }
  }

  function failuresSettled(outcomes: readonly Outcome[], failures: SettledFailures): void {
    const { promotedIds, retryAtMs, openIds, failingIds } = failures;
    promotedCount += promotedIds.size;
    if (promotedIds.size > 0) deps.promote(promotedIds);
    if (retryAtMs !== undefined) retries.scheduled(retryAtMs);
    for (const id of openIds) window.drop(id);
    deps.signalCircuits(failingIds);
    settled(outcomes, 'failed');
  }

  function settled(
    outcomes: readonly (Pick<Outcome, 'row'> & Partial<Outcome>)[],
    outcome: 'accepted' | 'failed' | 'passed' = 'accepted',
  ): void {
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
    handOvers.settled(ids);
    if (released) wakeSignal.wake();
  }

  function wake(change?: DestinationChange): void {
    if (change === 'unknown') window.dropAll();
    else if (change !== undefined) {
      window.drop(change);
      debounce.forget(change);
    }
    if (change !== undefined) deps.onChanged?.();
    debounce.wake();
    isClaimDue = true;
    wakeSignal.wake();
  }

  /** Never rejects. Must not run during a claim. Returns whether it should be called again at once. */
  async function moveDestinations(): Promise<boolean> {
    try {
      if (isMoving) await debouncedClaim;
      await moves.findStrays(isMoving);
      if (!isMoving) return false;
      const leaving = await moves.leaving();
      const mayMove = leaving.length > 0 && lease.isValid();
      if (mayMove) {
        for (const { id } of leaving) window.drop(id);
        await handOvers.moveDestinations(leaving);
      }
      const { hasArrivals, isMore } = await moves.takeIn();
      if (hasArrivals) conversations.expect();
      return isMore || mayMove;
    } catch (error) {
      log.warn('destinations.moveFailed', { error });
      return false;
    }
  }

  async function progress(): Promise<PumpProgress> {
    const destinationCount = await countDestinations(pool, shard);
    return { destinationCount, ...counts() };
  }

  function counts() {
    return { settledCount, promotedCount, heldCount: window.heldCount() };
  }

  function stop(): Promise<void> {
    retries.close();
    debounce.close();
    released ??= handOvers.releaseShard();
    wakeSignal.wake();
    return released;
  }

  async function end(): Promise<PumpProgress> {
    await drain().finally(window.close);
    log.info('pump.ended', { fence, ...counts() });
    return await progress();
  }

  async function drain(): Promise<void> {
    const untilMs = performance.now() + overdueMsOf(sent.values(), overdueMs);
    while (sent.size > 0 && performance.now() < untilMs) await wakeSignal.wait(POLL_MS);
    if (sent.size > 0) failedOutcomes.abandon();
    await handOvers.idle();
  }
}

/** The deliveries in one request. */
function deliveriesOf(row: ClaimedDelivery): readonly ClaimedDelivery[] {
  return row.following ? [row, ...row.following] : [row];
}
