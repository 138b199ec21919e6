import { isDebounced } from '../../contract/destinations/options.ts';
import { BodyUnreadable } from '../../db/core/body-box.ts';
import { isPermanent, isStatementTimeout } from '../../db/core/database-unavailable.ts';
import type { DeliveryNotifications, DestinationChange } from '../../db/core/delivery-notifications.ts';
import type { Claim, ClaimedDelivery } from '../../db/ledger/claim.ts';
import type { DeliveryOffer } from '../../db/ledger/offers/delivery-offer.ts';
import { overdueMsOf, SETTLE_MS } from '../../db/ledger/shards/hand-over.ts';
import type { HeldLease } from '../../db/ledger/shards/shard-leases.ts';
import { createPermit, type Permit } from '../../egress/permit.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import type { Log } from '../../process/log.ts';
import { NotSent, type SendDelivery } from '../deliveries/send-delivery.ts';
import { answerOf } from './allowance.ts';
import { createDebounce } from './debounce.ts';
import { createFirstAttemptDelays } from './first-attempt-delays.ts';
import { createHandOvers } from './hand-overs.ts';
import { createHeldConversations } from './held-conversations.ts';
import { createInFlightWindow } from './in-flight-window.ts';
import type { Lease } from './lease.ts';
import type { WorkspaceSlots } from './limits/workspace-slots.ts';
import { createOffers, type OffersOptions, REMEMBER_MS } from './offers.ts';
import { createAcceptedOutcomes } from './outcomes/accepted-outcomes.ts';
import { createFailedOutcomes, type SettledFailures } from './outcomes/failed-outcomes.ts';
import { createHealthRecorder } from './outcomes/health-recorder.ts';
import { endedAtMs, type Outcome } from './outcomes/outcome.ts';
import type { PumpLedger } from './ledger/pump-ledger.ts';
import { createShortRetries } from './short-retries.ts';
import type { TraceClaims } from './trace-claims.ts';
import { createWakeSignal } from './wake-signal.ts';

/**
 * The pump of a worker serves all shards of which the worker has the lease, as a pipeline: it claims pending rows, admits
 * those that have a slot, sends them in parallel, and settles their outcomes in batches. All state changes here; the
 * parts of the pump decide and answer. A shard that it gives up is handed over at once; the answers to its last requests
 * are settled afterwards. The pump never waits for Temporal; adoption later starts the workflows of deliveries that
 * failed during an outage.
 */
export interface WorkerPump {
  /** Serves these shards, too. */
  serve(leases: readonly HeldLease[]): void;
  shards(): number[];
  /** Sends these without a claim, or claims them. Returns the shards of those that another worker serves. */
  offer(offers: readonly DeliveryOffer[]): readonly number[];
  /** `listener` is called when the shards have changed. */
  onShards(listener: () => void): void;
  /** Also those whose lease is not released yet. */
  heldShards(): number[];
  /** Sends no further requests of these shards. Resolves when other workers can take them. */
  giveUp(shards: readonly number[]): Promise<void>;
  /**
   * Compares the shards with the leases that the worker has. Releases leases of shards that it does not serve, which would
   * never end: an answer was lost, a hand-over failed, or the worker has joined again. Returns the shards that are lost.
   */
  renewed(fences: ReadonlyMap<number, number>): readonly number[];
  counts(): PumpCounts;
  /** How long ago the loop began its round. Some seconds at most, unless the database is slow or the loop hangs. */
  turnedAgoMs(): number;
  /** Gives all shards up. Resolves when `ended` does. */
  stop(): Promise<void>;
  /** Resolves when other workers can take all shards. */
  readonly stopped: Promise<void>;
  /** Resolves when the outcomes of all requests are in the ledger. */
  readonly ended: Promise<void>;
}

/** Since the pump started. */
export interface PumpCounts {
  /** Deliveries whose attempt was recorded. */
  readonly settledCount: number;
  readonly promotedCount: number;
  /** In memory now. */
  readonly heldCount: number;
}

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
  readonly ledger: PumpLedger;
  readonly wake: DeliveryNotifications;
  readonly lease: Lease;
  readonly sendDelivery: SendDelivery;
  /** Must not block. */
  readonly promote: (ids: ReadonlySet<number>) => void;
  readonly signalCircuits: (destinationIds: readonly number[]) => void;
  /** Optional. Called when a destination has changed, which may void its deliveries. Must not block. */
  readonly onChanged?: () => void;
  readonly settings: PumpSettings;
  /** Optional. For offers. Default: the clocks of the process. */
  readonly offersClocks?: OffersOptions | undefined;
  /** Optional. Default: the limit of an installation with one worker. */
  readonly workspaceSlots?: WorkspaceSlots | undefined;
  /** Optional. Default: claims are not traced. */
  readonly traceClaims?: TraceClaims | undefined;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
  readonly holder: string;
}

interface ServedShard extends HeldLease {
  /** Of the requests sent under this lease. */
  readonly permit: Permit;
  /** Undefined unless a claim of this shard alone has failed. */
  failedUntilMs?: number;
  /** The worker that served the shard before may have sent what is offered until then. */
  readonly takesOffersAtMs: number;
}

/** Covers lost wake-ups and expired holds: all shards are claimed. */
const SWEEP_MS = 250;
/** While nothing is pending. */
const IDLE_SWEEP_MS = 500;
const MAX_SWEEP_MS = 2_000;
/** Rest after a sweep, in times of its duration: it reads every destination for which deliveries wait. */
const SWEEP_REST_TIMES = 50;
/**
 * A claim that returns n rows is followed by the next one after sqrt(n) times this. The time between claims then grows
 * with the rate of rows: 4 ms at 1,000 rows per second, where each claim returns four rows, and the longest at 4,000. A
 * time in proportion to n would be either the longest or none.
 */
const SPACING_MS = 2;
const MAX_SPACING_MS = 15;
const CLAIM_RETRY_MS = 250;
/** Its claim may take as long as a statement may, and the others wait meanwhile. */
const FAILED_SHARD_WAIT_MS = 30_000;
/** Most rows held per in-flight slot. A destination that settles less in the time of a claim holds fewer. */
const MAX_HELD_PER_SLOT = 4;
const MAX_CLAIM_ROWS = 1_024;
const INSTALLATION_FAULT_WAIT_MS = 5_000;

export function startWorkerPump(deps: PumpDeps): WorkerPump {
  const { ledger, lease, settings, meter, log } = deps;
  const overdueMs = settings.attemptTimeoutMs + SETTLE_MS;
  const served = new Map<number, ServedShard>();
  /** With their releases, before which the leases must not expire. */
  const leaving = new Map<HeldLease, Promise<void>>();
  /** Not yet settled in the ledger. */
  const sent = new Map<number, { readonly row: ClaimedDelivery; readonly lease: ServedShard }>();
  /** Shards that may have deliveries to claim. */
  const due = new Set<number>();
  /** Destinations that may have more pending rows than they had room for, with their shards. */
  const full = new Map<number, number>();
  const wakeSignal = createWakeSignal();
  const window = createInFlightWindow<ClaimedDelivery>({
    ...settings,
    destinationHeld: settings.destinationInFlight * MAX_HELD_PER_SLOT,
    workspaceSlots: deps.workspaceSlots,
    onSlotsFree: sendReady,
  });
  const delays = meter && createFirstAttemptDelays({ meter: meter.pump });
  const leases = (): readonly HeldLease[] => [...served.values()];
  const conversations = createHeldConversations({ ledger, leases });
  const offersNow = deps.offersClocks?.now ?? (() => performance.now());
  const offers = createOffers(deps.offersClocks);
  const shardsListeners = new Set<() => void>();
  const debounce = createDebounce({ onDue: wakeSignal.wake });
  const health = createHealthRecorder({ ledger, onCircuits: deps.signalCircuits, log });
  const acceptedOutcomes = createAcceptedOutcomes({ ledger, onSettled: settled, meter, log });
  const failedOutcomes = createFailedOutcomes({
    ...settings,
    ledger,
    health,
    onSettled: failuresSettled,
    meter,
    log,
  });
  const retries = createShortRetries({
    ledger,
    leases: () => (lease.isValid() ? leases() : []),
    onReleased: claimSoon,
    log,
  });
  const handOvers = createHandOvers({ ...deps, overdueMs, sent });
  let isStopping = false;
  let debouncedClaim: Promise<void> | undefined;
  let sweepAtMs = -Infinity;
  let nextClaimAtMs = -Infinity;
  let settledCount = 0;
  let promotedCount = 0;
  let turnedAtMs = performance.now();

  const unsubscribe = deps.wake.subscribe(wake);
  const stopped = Promise.withResolvers<void>();
  const ended = stopped.promise.then(end);
  const running = run().finally(unsubscribe);
  return {
    serve,
    shards: () => [...served.keys()],
    offer,
    onShards: (listener) => void shardsListeners.add(listener),
    heldShards,
    giveUp,
    renewed,
    counts,
    turnedAgoMs: () => performance.now() - turnedAtMs,
    stop,
    stopped: stopped.promise,
    ended,
  };

  function serve(acquired: readonly HeldLease[]): void {
    if (acquired.length === 0) return;
    const takesOffersAtMs = offersNow() + REMEMBER_MS;
    for (const { shard, fence } of acquired) {
      served.set(shard, { shard, fence, permit: createPermit(lease.isValid), takesOffersAtMs });
    }
    shardsListeners.forEach((listener) => listener());
    log.info('shards.acquired', { count: acquired.length });
    delays?.served();
    window.shardsTaken();
    conversations.expect();
    retries.expect();
    claimSoon(acquired.map(({ shard }) => shard));
  }

  function heldShards(): number[] {
    return [...served.keys(), ...Array.from(leaving.keys(), ({ shard }) => shard)];
  }

  async function giveUp(shards: readonly number[]): Promise<void> {
    await release(removeShards(shards));
  }

  async function release(given: readonly HeldLease[]): Promise<void> {
    if (given.length === 0) return;
    const releasing = handOvers.release(given);
    for (const each of given) leaving.set(each, releasing);
    await releasing;
    log.info('shards.released', { count: given.length });
    for (const each of given) leaving.delete(each);
  }

  function renewed(fences: ReadonlyMap<number, number>): readonly number[] {
    const held = new Set(heldShards());
    void release(Array.from(fences, ([shard, fence]) => ({ shard, fence })).filter(({ shard }) => !held.has(shard)));
    const lost = [...served.values()].filter(({ shard, fence }) => fences.get(shard) !== fence);
    removeShards(lost.map(({ shard }) => shard));
    sendReady();
    if (due.size > 0) wakeSignal.wake();
    return lost.map(({ shard }) => shard);
  }

  /** Sends nothing more of these shards. */
  function removeShards(shards: readonly number[]): readonly ServedShard[] {
    const removed = shards.flatMap((shard) => served.get(shard) ?? []);
    if (removed.length === 0) return removed;
    for (const { shard, permit } of removed) {
      served.delete(shard);
      due.delete(shard);
      permit.withdraw();
    }
    for (const [id, shard] of full) if (!served.has(shard)) full.delete(id);
    window.dropShards(new Set(removed.map(({ shard }) => shard)));
    shardsListeners.forEach((listener) => listener());
    return removed;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      turnedAtMs = performance.now();
      startDebouncedClaim();
      if (turnedAtMs >= sweepAtMs) await sweep();
      else if (due.size > 0 && turnedAtMs >= nextClaimAtMs) await claim();
      await wakeSignal.wait(untilNextTurn());
    }
  }

  function untilNextTurn(): number {
    const atMs = due.size > 0 && mayClaim() ? Math.min(nextClaimAtMs, sweepAtMs) : sweepAtMs;
    return Math.max(atMs - performance.now(), 0);
  }

  function mayClaim(): boolean {
    return window.freeCount() > 0 && lease.isValid();
  }

  async function sweep(): Promise<void> {
    for (const shard of served.keys()) due.add(shard);
    const beganMs = performance.now();
    await claim();
    const endedMs = performance.now();
    const restMs = Math.max(SWEEP_REST_TIMES * (endedMs - beganMs), window.heldCount() > 0 ? SWEEP_MS : IDLE_SWEEP_MS);
    sweepAtMs = endedMs + Math.min(restMs, MAX_SWEEP_MS);
  }

  async function claim(): Promise<void> {
    if (due.size === 0 || !mayClaim()) return;
    const asked = [...due].flatMap((shard) => served.get(shard) ?? []);
    due.clear();
    await releaseConversations().catch((error: unknown) => log.error('delivery.claimFailed', { error }));
    await claimApart(asked.filter((shard) => !(performance.now() < (shard.failedUntilMs ?? 0))));
  }

  async function releaseConversations(): Promise<void> {
    for (const destinationId of await conversations.release()) delays?.released(destinationId);
  }

  /** A shard whose claim fails for a reason of its own is set apart for a while, so that it stops no other. */
  async function claimApart(asked: readonly ServedShard[], isPart = false): Promise<void> {
    if (asked.length === 0 || isStopping) return;
    const shards = asked.map(({ shard }) => shard);
    if (!mayClaim()) return claimSoon(shards);
    try {
      await claimTogether(asked.filter(isStillServed));
    } catch (error) {
      if (!isPart || asked.length === 1) log.error('delivery.claimFailed', { error, shards: asked.length });
      if (!isPermanent(error) && !isStatementTimeout(error)) {
        nextClaimAtMs = performance.now() + CLAIM_RETRY_MS;
        return claimSoon(shards);
      }
      const [first] = asked as [ServedShard];
      if (asked.length === 1) return void (first.failedUntilMs = performance.now() + FAILED_SHARD_WAIT_MS);
      const middle = Math.ceil(asked.length / 2);
      await claimApart(asked.slice(0, middle), true);
      await claimApart(asked.slice(middle), true);
    }
  }

  async function claimTogether(shards: readonly ServedShard[]): Promise<void> {
    if (shards.length === 0) return;
    const asked = new Map(shards.map((shard) => [shard.shard, shard]));
    const beganMs = performance.now();
    const claimed = await claimOf(asked);
    meter?.pump.claimed({ durationMs: performance.now() - beganMs });
    const rowCount = Math.max(claimed.deliveries.length, 1);
    nextClaimAtMs = beganMs + Math.min(Math.sqrt(rowCount) * SPACING_MS, MAX_SPACING_MS);
    if (delays) claimed.heldDestinationIds.forEach(delays.heldBack);
    sendReady();
    if (claimed.isCut) claimSoon([...asked.keys()]);
    if (await conversations.park(claimed.heldDestinationIds, window.heldIds())) claimSoon([...asked.keys()]);
  }

  async function claimOf(asked: ReadonlyMap<number, ServedShard>): Promise<Claim> {
    const shards = asked.size < served.size ? new Set(asked.keys()) : undefined;
    const room = window.room(shards);
    const wasFull = new Set([...room].flatMap(([id, count]) => (count === 0 ? id : [])));
    const request = {
      shards: [...asked.keys()],
      heldIds: window.heldIds(shards),
      room: debounce.leaveOut(room),
      heldCounts: window.heldCounts(shards),
      defaultRoom: window.firstRoom(),
      maxRows: Math.min(MAX_CLAIM_ROWS, window.freeCount()),
    };
    window.claimBegins();
    offers.claimBegins();
    const startedAtMs = Date.now();
    const claimed = offers.claimed(await ledger.claimDeliveries(request));
    // A debounced one is discarded, and claimed when it is due.
    deps.traceClaims?.(
      claimed.deliveries.filter(({ options }) => !isDebounced(options)),
      startedAtMs,
    );
    const own = claimed.deliveries.filter(({ shard }) => isStillServed(asked.get(shard)!));
    for (const [id, shard] of full) if (asked.has(shard) && !wasFull.has(id)) full.delete(id);
    for (const { destinationId, shard } of own) {
      if (claimed.fullDestinationIds.has(destinationId)) full.set(destinationId, shard);
    }
    window.add(debounce.withoutDebounced(own));
    return claimed;
  }

  function offer(offered: readonly DeliveryOffer[]): readonly number[] {
    const startedAtMs = Date.now();
    const isServing = lease.isValid();
    const { own = [], foreign = [] } = Object.groupBy(offered, ({ shard }) =>
      isServing && served.has(shard) ? 'own' : 'foreign',
    );
    const rows = takeOffers(own);
    deps.traceClaims?.(rows, startedAtMs);
    meter?.pump.offered({ taken: rows.length, declined: offered.length - rows.length });
    if (rows.length > 0) sendReady(new Set(rows.map(({ destinationId }) => destinationId)));
    if (rows.length < own.length) claimDeclined(own, rows);
    return foreign.map(({ shard }) => shard);
  }

  function claimDeclined(own: readonly DeliveryOffer[], rows: readonly ClaimedDelivery[]): void {
    const taken = new Set(rows.map(({ id }) => id));
    const declined = own.filter(({ id }) => !taken.has(id));
    for (const { destinationId, shard } of declined) {
      // Later offers must not take the slots for which these wait.
      if (window.roomOf(destinationId) === 0) full.set(destinationId, shard);
    }
    claimSoon([...new Set(declined.map(({ shard }) => shard))]);
  }

  function takeOffers(own: readonly DeliveryOffer[]): readonly ClaimedDelivery[] {
    const nowMs = offersNow();
    const hasRoom = window.freeCount() >= own.length;
    const rows = offers.take(own, {
      mayTake: ({ shard }) => hasRoom && served.get(shard)!.takesOffersAtMs <= nowMs,
      isHeld: window.isHeld,
      roomOf: (id) => (full.has(id) ? 0 : window.roomOf(id)),
    });
    rows.forEach(window.addOffered);
    return rows;
  }

  function isStillServed(shard: ServedShard): boolean {
    return served.get(shard.shard) === shard;
  }

  /** Reads the debounced destinations, if it is time. Does not wait, because the claims of the others continue. */
  function startDebouncedClaim(): void {
    if (debouncedClaim || !debounce.isDue() || !mayClaim()) return;
    const room = window.room();
    const firstRoom = window.firstRoom();
    const roomOf = (id: number): number => room.get(id) ?? firstRoom;
    const asked = debounce.next((id) => roomOf(id) > 0);
    if (asked.length === 0) return;
    debouncedClaim = gather(asked, roomOf).finally(() => (debouncedClaim = undefined));
  }

  async function gather(asked: readonly number[], roomOf: (id: number) => number): Promise<void> {
    try {
      const heldCounts = window.heldCounts();
      const destinations = asked.map((id) => {
        return { id, room: roomOf(id), heldCount: heldCounts.get(id), busyKeys: window.heldConversations(id) };
      });
      const maxRows = Math.min(MAX_CLAIM_ROWS, window.freeCount());
      window.debounceBegins();
      const serving = new Map(served);
      const startedAtMs = Date.now();
      const request = { shards: [...serving.keys()], heldIds: window.heldIds(), destinations, maxRows };
      const { deliveries, destinations: found, durationMs } = await ledger.claimDebounced(request);
      for (const row of deliveries) deps.traceClaims?.(deliveriesOf(row), startedAtMs);
      window.addDebounced(deliveries.filter(({ shard }) => isStillServed(serving.get(shard)!)));
      const isWaiting = new Map(found.map((one) => [one.id, one.isWaiting]));
      for (const id of asked) {
        const hasNone = isWaiting.get(id) === false && window.heldConversations(id).length === 0;
        if (hasNone || !isWaiting.has(id)) debounce.forget(id);
      }
      if (found.length < asked.length) claimSoon([...served.keys()]); // forgotten destinations may have deliveries
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

  /** Of all destinations, or of these. */
  function sendReady(destinationIds?: Iterable<number>): void {
    if (!lease.isValid()) return;
    for (const row of window.take(delays?.heldBack, destinationIds)) void send(row, served.get(row.shard)!);
  }

  async function send(row: ClaimedDelivery, shard: ServedShard): Promise<void> {
    for (const one of deliveriesOf(row)) sent.set(one.id, { row: one, lease: shard });
    try {
      const attempt = await deps.sendDelivery(row, row.attemptCount + 1, shard.permit);
      delays?.attempted(row, attempt);
      if (attempt.outcome !== 'accepted') return failedOutcomes.add({ row, attempt, lease: shard });
      window.accepted(row);
      sendReady([row.destinationId]);
      const { destinationId } = row;
      health.add({ destinationId, startedAtMs: attempt.startedAtMs, endedAtMs: endedAtMs(attempt) });
      acceptedOutcomes.add({ row, attempt, lease: shard });
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
      drop(row.destinationId); // the row must be claimed again before those behind it are sent
      return forgetSent([row]);
    }
    log.error('delivery.sendFailed', { error, deliveryNumber: row.id }); // an internal error, not counted as an attempt
    setTimeout(() => window.settled(row, 'failed'), INSTALLATION_FAULT_WAIT_MS).unref();
    forgetSent([row]);
  }

  /**
   * Lets the pump retry a delivery later, without counting an attempt. A missing key concerns all deliveries of a time,
   * which need no workflow each.
   */
  async function postpone(id: number, { keyId, code }: BodyUnreadable): Promise<boolean> {
    log.error('body.openFailed', { deliveryNumber: id, encryptionKeyId: keyId, errorCode: code });
    try {
      await ledger.postponeUnreadable(id);
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
    for (const id of openIds) drop(id);
    deps.signalCircuits(failingIds);
    settled(outcomes, 'failed');
  }

  function settled(
    outcomes: readonly (Pick<Outcome, 'row'> & Partial<Outcome>)[],
    outcome: 'accepted' | 'failed' | 'passed' = 'accepted',
  ): void {
    const rows = outcomes.map(({ row }) => row);
    if (outcome === 'accepted') offers.delivered(rows.map(({ id }) => id));
    else offers.undelivered(rows);
    for (const { row, attempt } of outcomes) {
      if (attempt) settledCount += deliveriesOf(row).length;
      window.settled(row, attempt ? answerOf(attempt) : outcome);
    }
    forgetSent(rows);
    debounce.settled(outcomes);
    sendReady(new Set(rows.map(({ destinationId }) => destinationId)));
    if (window.hasRoomFor(full.keys())) claimSoon([...full.values()]);
    else if (due.size > 0) wakeSignal.wake(); // the window may have been full
  }

  function forgetSent(rows: readonly ClaimedDelivery[]): void {
    const ids = rows.flatMap(deliveriesOf).map(({ id }) => id);
    for (const id of ids) sent.delete(id);
    handOvers.settled(ids);
    if (isStopping) wakeSignal.wake();
  }

  function wake(shards: readonly number[], change?: DestinationChange): void {
    const own = change === 'unknown' ? [...served.keys()] : shards.filter((shard) => served.has(shard));
    if (own.length === 0) return;
    if (change === 'unknown') {
      window.dropAll();
      offers.dropAll();
    } else if (change !== undefined) {
      drop(change);
      debounce.forget(change);
    }
    if (change !== undefined) deps.onChanged?.();
    claimSoon(own);
  }

  function drop(destinationId: number): void {
    window.drop(destinationId);
    offers.drop(destinationId);
  }

  function claimSoon(shards: readonly number[]): void {
    for (const shard of shards) if (served.has(shard)) due.add(shard);
    debounce.wake(shards);
    wakeSignal.wake();
  }

  function counts(): PumpCounts {
    return { settledCount, promotedCount, heldCount: window.heldCount() };
  }

  async function stop(): Promise<void> {
    isStopping = true;
    retries.close();
    debounce.close();
    wakeSignal.wake();
    await giveUp([...served.keys()]);
    await Promise.all(leaving.values());
    stopped.resolve();
    await ended;
  }

  async function end(): Promise<void> {
    await running;
    await drain().finally(window.close);
    log.info('pump.ended', { ...counts() });
  }

  async function drain(): Promise<void> {
    const rows = Array.from(sent.values(), ({ row }) => row);
    const untilMs = performance.now() + overdueMsOf(rows, overdueMs);
    while (sent.size > 0 && performance.now() < untilMs) await wakeSignal.wait(SWEEP_MS);
    if (sent.size > 0) failedOutcomes.abandon();
    await health.flush();
    await handOvers.idle();
  }
}

/** The deliveries in one request. */
function deliveriesOf(row: ClaimedDelivery): readonly ClaimedDelivery[] {
  return row.following ? [row, ...row.following] : [row];
}
