import { isDebounced } from '../../contract/destinations/options.ts';
import type { ClaimedDelivery } from '../../db/ledger/claims/claimed-delivery.ts';
import type { ScannedDestination } from '../../db/ledger/claims/debounced-deliveries.ts';
import type { Log } from '../../process/log.ts';
import type { InFlightWindow } from './in-flight-window.ts';
import { createDebounceSchedule } from './limits/debounce-schedule.ts';
import type { HeldConversations } from './held-conversations.ts';
import type { SharedClaims } from './shared-claims.ts';
import type { WakeSignal } from './wake-signal.ts';

/**
 * Reads the deliveries of a shard's debounced destinations. Claims leave them out once one has shown that its
 * destination is debounced; a statement of its own then returns the conversations that are due. Deliveries wait in the
 * ledger, so another pump continues their windows.
 *
 * A destination is forgotten when it has no delivery waiting, in flight or failed, when it changes, and when the
 * statement does not return it. The next claim decides again, so a lost notification delays its deliveries and stops none.
 */
export interface Debounce {
  /** Returns the other deliveries of a claim. */
  withoutDebounced(claimed: readonly ClaimedDelivery[]): readonly ClaimedDelivery[];
  /** Leaves the destinations out of the next claim. */
  leaveOut(room: Map<number, number>): Map<number, number>;
  forget(destinationId: number): void;
  /** More may be due. */
  wake(): void;
  /** More of these destinations may be due. */
  settled(rows: readonly { readonly row: Pick<ClaimedDelivery, 'destinationId'> }[]): void;
  /** Starts the statement if it is time. It must not run while destinations move. */
  start(): void;
  /** Resolves when no statement is running. */
  idle(): Promise<void>;
  close(): void;
}

export interface DebounceDeps {
  readonly shard: number;
  readonly lease: { readonly isValid: () => boolean };
  readonly claims: Pick<SharedClaims, 'claimDebounced'>;
  readonly window: InFlightWindow<ClaimedDelivery>;
  readonly conversations: Pick<HeldConversations, 'park'>;
  readonly sendReady: () => void;
  /** Makes the pump call `start`. */
  readonly wakeSignal: WakeSignal;
  /** Makes the pump claim: forgotten destinations may have deliveries. */
  readonly claim: () => void;
  readonly log: Log;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

const MAX_ROWS = 512;
/** Between two statements, so that many new deliveries share one. Windows last a second at least. */
const MIN_REST_MS = 100;
/** Bounds the share of the time that the statements of a shard take. */
const REST_PER_MS = 10;
/** Windows must not wait for long because one statement was slow. Also after an error. */
const MAX_REST_MS = 1_000;
/** Finds destinations that have changed without a notification, and holds that have expired. */
const POLL_MS = 1_000;

export function createDebounce(deps: DebounceDeps): Debounce {
  const { shard, lease, claims, window, conversations, log, now = () => performance.now() } = deps;
  const schedule = createDebounceSchedule(now);
  let dueAtMs = Infinity;
  let restUntilMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  return { withoutDebounced, leaveOut, forget: schedule.forget, wake, settled, start, idle, close };

  function withoutDebounced(claimed: readonly ClaimedDelivery[]): readonly ClaimedDelivery[] {
    if (!claimed.some(({ options }) => isDebounced(options))) return claimed;
    for (const { destinationId, options } of claimed) if (isDebounced(options)) schedule.add(destinationId);
    runAt(now());
    return claimed.filter(({ options }) => !isDebounced(options));
  }

  function leaveOut(room: Map<number, number>): Map<number, number> {
    for (const id of schedule.ids()) room.set(id, 0);
    return room;
  }

  function wake(): void {
    schedule.notified();
    if (schedule.size() > 0) runAt(now());
  }

  function settled(rows: readonly { readonly row: Pick<ClaimedDelivery, 'destinationId'> }[]): void {
    if (schedule.size() > 0 && schedule.settled(rows.map(({ row }) => row.destinationId))) runAt(now());
  }

  function start(): void {
    if (running || isClosed || schedule.size() === 0 || now() < dueAtMs || !lease.isValid()) return;
    if (window.freeCount() <= 0) return;
    dueAtMs = Infinity;
    const rooms = { known: window.room(), first: window.firstRoom() };
    const roomOf = (id: number): number => rooms.known.get(id) ?? rooms.first;
    const asked = schedule.take((id) => roomOf(id) > 0);
    if (asked.length === 0) return runAgain();
    running = run(asked, roomOf).finally(() => (running = undefined));
  }

  async function idle(): Promise<void> {
    await running;
  }

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
  }

  /** Keeps an earlier time. */
  function runAt(atMs: number): void {
    const nextMs = Math.max(atMs, restUntilMs);
    if (nextMs >= dueAtMs || isClosed) return;
    dueAtMs = nextMs;
    clearTimeout(timer);
    timer = setTimeout(() => deps.wakeSignal.wake(), Math.max(Math.ceil(nextMs - now()), 0));
  }

  function runAgain(): void {
    dueAtMs = Infinity;
    const nextAtMs = schedule.nextAtMs();
    if (nextAtMs !== undefined) runAt(nextAtMs);
  }

  async function run(asked: readonly number[], roomOf: (id: number) => number): Promise<void> {
    restUntilMs = Infinity; // until it is known
    let restMs = MAX_REST_MS;
    try {
      restMs = restMsOf(await claimDue(asked, roomOf));
    } catch (error) {
      log.error('delivery.gatherFailed', { error });
      for (const id of asked) schedule.asked(id, { againInMs: 0 });
    }
    restUntilMs = now() + restMs;
    runAgain();
  }

  /** Returns the duration of the statement. */
  async function claimDue(asked: readonly number[], roomOf: (id: number) => number): Promise<number> {
    const heldCounts = window.heldCounts();
    const destinations = asked.map((id) => {
      return { id, room: roomOf(id), heldCount: heldCounts.get(id), busyKeys: window.heldConversations(id) };
    });
    const maxRows = Math.min(MAX_ROWS, window.freeCount());
    window.debounceBegins();
    const claimed = await claims.claimDebounced({ shard, heldIds: window.heldIds(), destinations, maxRows });
    window.addDebounced(claimed.deliveries);
    forgetOthers(asked, claimed.destinations);
    deps.sendReady();
    const hiddenIds = claimed.destinations.filter(({ isHidden }) => isHidden).map(({ id }) => id);
    const hasParked = await conversations.park(hiddenIds, window.heldIds());
    for (const { id, isCut, isHidden, nextInMs, scannedCount } of claimed.destinations) {
      const againInMs = isCut || (isHidden && hasParked) ? 0 : Math.min(nextInMs ?? POLL_MS, POLL_MS);
      schedule.asked(id, { againInMs, scannedCount });
    }
    return claimed.durationMs;
  }

  function forgetOthers(asked: readonly number[], claimed: readonly ScannedDestination[]): void {
    const returned = new Map(claimed.map((one) => [one.id, one]));
    for (const id of asked) {
      const found = returned.get(id);
      if (!found || (!found.isWaiting && window.heldConversations(id).length === 0)) schedule.forget(id);
    }
    if (returned.size < asked.length) deps.claim();
  }
}

function restMsOf(durationMs: number): number {
  return Math.min(Math.max(durationMs * REST_PER_MS, MIN_REST_MS), MAX_REST_MS);
}
