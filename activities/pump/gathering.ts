import { isDebounced } from '../../contract/destinations/options.ts';
import type { ClaimedDelivery } from '../../db/ledger/claims/claimed-delivery.ts';
import type { GatheredDestination } from '../../db/ledger/claims/gather-deliveries.ts';
import type { Log } from '../../process/log.ts';
import type { InFlightWindow } from './in-flight-window.ts';
import type { Parking } from './parking.ts';
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
export interface Gathering {
  /** Returns the other deliveries of a claim. */
  withoutDebounced(claimed: readonly ClaimedDelivery[]): readonly ClaimedDelivery[];
  /** Leaves the destinations out of the next claim. */
  leaveOut(room: Map<number, number>): Map<number, number>;
  forget(destinationId: number): void;
  /** More may be due. */
  wake(): void;
  /** Starts the statement if it is time. It must not run while destinations move. */
  start(): void;
  /** Resolves when no statement is running. */
  idle(): Promise<void>;
  close(): void;
}

export interface GatheringDeps {
  readonly shard: number;
  readonly lease: { readonly isValid: () => boolean };
  readonly claims: Pick<SharedClaims, 'gather'>;
  readonly window: InFlightWindow<ClaimedDelivery>;
  readonly parking: Pick<Parking, 'park'>;
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

export function createGathering(deps: GatheringDeps): Gathering {
  const { shard, lease, claims, window, parking, log, now = () => performance.now() } = deps;
  const known = new Set<number>();
  let dueAtMs = Infinity;
  let restUntilMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  return { withoutDebounced, leaveOut, forget, wake, start, idle: async () => await running, close };

  function withoutDebounced(claimed: readonly ClaimedDelivery[]): readonly ClaimedDelivery[] {
    if (!claimed.some(({ options }) => isDebounced(options))) return claimed;
    for (const { destinationId, options } of claimed) if (isDebounced(options)) known.add(destinationId);
    wake();
    return claimed.filter(({ options }) => !isDebounced(options));
  }

  function leaveOut(room: Map<number, number>): Map<number, number> {
    for (const id of known) room.set(id, 0);
    return room;
  }

  function forget(destinationId: number): void {
    known.delete(destinationId);
  }

  function wake(): void {
    if (known.size > 0) runAt(now());
  }

  function start(): void {
    if (running || isClosed || known.size === 0 || now() < dueAtMs || !lease.isValid()) return;
    dueAtMs = Infinity;
    running = gather().finally(() => (running = undefined));
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
    timer = setTimeout(() => deps.wakeSignal.wake(), Math.ceil(nextMs - now()));
  }

  async function gather(): Promise<void> {
    const { nextInMs, restMs } = await gatherAll([...known]).catch((error: unknown) => {
      log.error('delivery.gatherFailed', { error });
      return { nextInMs: POLL_MS, restMs: MAX_REST_MS };
    });
    restUntilMs = now() + restMs;
    // A call of `wake` during the statement did not know its rest.
    const wokenAtMs = dueAtMs;
    dueAtMs = Infinity;
    if (known.size > 0) runAt(Math.min(wokenAtMs, now() + nextInMs));
  }

  async function gatherAll(asked: readonly number[]): Promise<Gap> {
    const [room, firstRoom, heldCounts] = [window.room(), window.firstRoom(), window.heldCounts()];
    const destinations = asked.map((id) => {
      const [heldCount, busyKeys] = [heldCounts.get(id), window.heldConversations(id)];
      return { id, room: room.get(id) ?? firstRoom, heldCount, busyKeys };
    });
    const maxRows = Math.max(Math.min(MAX_ROWS, window.freeCount()), 0);
    window.gatherBegins();
    const gathered = await claims.gather({ shard, heldIds: window.heldIds(), destinations, maxRows });
    window.addGathered(gathered.deliveries);
    forgetOthers(asked, gathered.destinations);
    deps.sendReady();
    const hiddenIds = gathered.destinations.filter(({ isHidden }) => isHidden).map(({ id }) => id);
    const hasParked = await parking.park(hiddenIds, window.heldIds());
    const isCut = hasParked || gathered.destinations.some((one) => one.isCut);
    const nextInMs = Math.min(POLL_MS, ...gathered.destinations.map((one) => one.nextInMs ?? POLL_MS));
    return { nextInMs: isCut ? 0 : nextInMs, restMs: restMsOf(gathered.durationMs) };
  }

  function forgetOthers(asked: readonly number[], gathered: readonly GatheredDestination[]): void {
    const returned = new Map(gathered.map((one) => [one.id, one]));
    for (const id of asked) {
      const found = returned.get(id);
      if (!found || (!found.isWaiting && window.heldConversations(id).length === 0)) known.delete(id);
    }
    if (returned.size < asked.length) deps.claim();
  }
}

interface Gap {
  /** Until more is due. */
  readonly nextInMs: number;
  /** Before the next statement, although more is due. */
  readonly restMs: number;
}

function restMsOf(durationMs: number): number {
  return Math.min(Math.max(durationMs * REST_PER_MS, MIN_REST_MS), MAX_REST_MS);
}
