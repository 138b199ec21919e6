import { isDebounced } from '../../contract/destinations/options.ts';
import type { ClaimedDelivery } from '../../db/ledger/claim.ts';

/**
 * Decides when the deliveries of debounced destinations are read, and of which. Claims leave them out once one
 * has shown that its destination is debounced; a statement of its own then returns the conversations that are due.
 * Deliveries wait in the ledger, so another pump continues their windows.
 *
 * A statement reads up to 2,000 waiting deliveries of each destination, so it gets a slice of them: those that have been
 * due for the longest time first, and then those that a notification may have made due.
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
  /** More may be due in these shards. */
  wake(shards: readonly number[]): void;
  /** More of these destinations may be due. One without room is due again when one of its requests is settled. */
  settled(rows: readonly { readonly row: Pick<ClaimedDelivery, 'destinationId'> }[]): void;
  /** False also while a statement runs. */
  isDue(): boolean;
  /**
   * Returns the destinations that a statement must read now. They are not due again before `ended`, unless something
   * changes.
   */
  next(hasRoom: (destinationId: number) => boolean): readonly number[];
  /** The statement has ended. Without `scanned`, it has failed. */
  ended(asked: readonly number[], scanned?: Scanned): void;
  close(): void;
}

export interface Scanned {
  /** Of the statement. */
  readonly durationMs: number;
  readonly destinations: readonly {
    readonly id: number;
    readonly scannedCount: number;
    /** Until it is due again, unless the next poll comes before. */
    readonly nextInMs: number | null;
  }[];
}

export interface DebounceDeps {
  /** Called when `next` may return destinations. */
  readonly onDue: () => void;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Between two statements, so that many new deliveries share one. Windows last a second at least. */
const MIN_REST_MS = 100;
/** Bounds the share of the time that the statements take. */
const REST_PER_MS = 10;
/** Windows must not wait for long because one statement was slow. Also after an error. */
const MAX_REST_MS = 1_000;
/** Finds destinations that have changed without a notification, holds that have expired, and room. */
const POLL_MS = 1_000;
/** Deliveries that a statement reads, as far as known. They take a tenth of a second. */
const SLICE_ROWS = 8_000;
/** What reading a destination costs, in deliveries. */
const BASE_ROWS = 20;
/** Of a destination that has not been read. Most have few. */
const UNKNOWN_ROWS = 200;

interface Entry {
  readonly shard: number;
  atMs: number;
  /** Its shard has been notified since it was taken last. */
  isNotified: boolean;
  scannedCount: number;
}

export function createDebounce({ onDue, now = () => performance.now() }: DebounceDeps): Debounce {
  const entries = new Map<number, Entry>();
  let dueAtMs = Infinity;
  /** Infinity while a statement runs. */
  let restUntilMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  return {
    withoutDebounced(claimed) {
      if (!claimed.some(({ options }) => isDebounced(options))) return claimed;
      for (const row of claimed) if (isDebounced(row.options)) add(row);
      runAt(now());
      return claimed.filter(({ options }) => !isDebounced(options));
    },
    leaveOut(room) {
      for (const id of entries.keys()) room.set(id, 0);
      return room;
    },
    forget: (id) => void entries.delete(id),
    wake(shards) {
      let isKnown = false;
      for (const entry of entries.values()) {
        if (!shards.includes(entry.shard)) continue;
        entry.isNotified = true;
        isKnown = true;
      }
      if (isKnown) runAt(now());
    },
    settled(rows) {
      if (entries.size === 0) return;
      let isKnown = false;
      for (const { row } of rows) isKnown = dueIn(row.destinationId, 0) || isKnown;
      if (isKnown) runAt(now());
    },
    isDue: () => !isClosed && restUntilMs < Infinity && entries.size > 0 && now() >= dueAtMs,
    next(hasRoom) {
      dueAtMs = Infinity;
      const taken = take(hasRoom);
      if (taken.length === 0) runAgain();
      else restUntilMs = Infinity;
      return taken;
    },
    ended(asked, scanned) {
      for (const { id, scannedCount, nextInMs } of scanned?.destinations ?? []) {
        const entry = entries.get(id);
        if (entry) entry.scannedCount = scannedCount;
        dueIn(id, Math.min(nextInMs ?? POLL_MS, POLL_MS));
      }
      if (!scanned) for (const id of asked) dueIn(id, 0);
      restUntilMs = now() + (scanned ? restMsOf(scanned.durationMs) : MAX_REST_MS);
      runAgain();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };

  function add({ destinationId: id, shard }: ClaimedDelivery): void {
    if (!entries.has(id)) entries.set(id, { shard, atMs: Infinity, isNotified: false, scannedCount: UNKNOWN_ROWS });
    dueIn(id, 0);
  }

  /** Keeps an earlier time. Returns whether the destination is known. */
  function dueIn(id: number, ms: number): boolean {
    const entry = entries.get(id);
    if (entry) entry.atMs = Math.min(entry.atMs, now() + ms);
    return entry !== undefined;
  }

  function take(hasRoom: (id: number) => boolean): readonly number[] {
    const nowMs = now();
    const due = [...entries].filter(([, entry]) => entry.atMs <= nowMs || entry.isNotified);
    const taken: number[] = [];
    let rowCount = 0;
    for (const [id, entry] of due.toSorted(([, a], [, b]) => a.atMs - b.atMs)) {
      entry.isNotified = false;
      entry.atMs = hasRoom(id) ? Infinity : nowMs + POLL_MS;
      if (entry.atMs < Infinity) continue;
      taken.push(id);
      rowCount += BASE_ROWS + entry.scannedCount;
      if (rowCount >= SLICE_ROWS) break;
    }
    return taken;
  }

  function runAgain(): void {
    dueAtMs = Infinity;
    let nextAtMs = Infinity;
    for (const entry of entries.values()) nextAtMs = Math.min(nextAtMs, entry.isNotified ? -Infinity : entry.atMs);
    if (entries.size > 0) runAt(nextAtMs);
  }

  /** Keeps an earlier time. */
  function runAt(atMs: number): void {
    const nextMs = Math.max(atMs, restUntilMs);
    if (nextMs >= dueAtMs || isClosed) return;
    dueAtMs = nextMs;
    clearTimeout(timer);
    timer = setTimeout(onDue, Math.max(Math.ceil(nextMs - now()), 0));
  }
}

function restMsOf(durationMs: number): number {
  return Math.min(Math.max(durationMs * REST_PER_MS, MIN_REST_MS), MAX_REST_MS);
}
