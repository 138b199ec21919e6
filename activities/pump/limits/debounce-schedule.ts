/**
 * Chooses the debounced destinations that the next statement reads. A statement reads up to 2,000 waiting deliveries of
 * each, so it gets a slice of them: those that have been due for the longest time first, and then those that a
 * notification may have made due. A destination without room is due again when one of its requests is settled.
 */
export interface DebounceSchedule {
  size(): number;
  ids(): Iterable<number>;
  /** A known destination is due as well. */
  add(destinationId: number): void;
  forget(destinationId: number): void;
  /** Any destination may be due. */
  notified(): void;
  /** Returns whether one of them is known, and so due. */
  settled(destinationIds: Iterable<number>): boolean;
  /** Returns the destinations of the next statement. They are not due before `asked`, unless something changes. */
  take(hasRoom: (destinationId: number) => boolean): readonly number[];
  asked(destinationId: number, answer: DebounceResult): void;
  /** Undefined without a destination. */
  nextAtMs(): number | undefined;
}

export interface DebounceResult {
  /** Until it is due again. */
  readonly againInMs: number;
  /** Optional. How many deliveries the statement has read. Default: as before. */
  readonly scannedCount?: number;
}

interface Entry {
  atMs: number;
  /** The notifications before it was taken last. */
  notifiedCount: number;
  scannedCount: number;
}

/** Deliveries that a statement reads, as far as known. They take a tenth of a second. */
const SLICE_ROWS = 8_000;
/** What reading a destination costs, in deliveries. */
const BASE_ROWS = 20;
/** Of a destination that has not been read. Most have few. */
const UNKNOWN_ROWS = 200;
/** For a destination without room. */
const POLL_MS = 1_000;

export function createDebounceSchedule(now: () => number): DebounceSchedule {
  const entries = new Map<number, Entry>();
  let notifiedCount = 0;

  return {
    size: () => entries.size,
    ids: () => entries.keys(),
    add(id) {
      if (!entries.has(id)) entries.set(id, { atMs: Infinity, notifiedCount, scannedCount: UNKNOWN_ROWS });
      dueIn(id, 0);
    },
    forget: (id) => void entries.delete(id),
    notified: () => void notifiedCount++,
    settled(ids) {
      let isKnown = false;
      for (const id of ids) isKnown = dueIn(id, 0) || isKnown;
      return isKnown;
    },
    take(hasRoom) {
      const nowMs = now();
      const taken: number[] = [];
      let rowCount = 0;
      for (const [id, entry] of askable(nowMs)) {
        entry.notifiedCount = notifiedCount;
        entry.atMs = hasRoom(id) ? Infinity : nowMs + POLL_MS;
        if (entry.atMs < Infinity) continue;
        taken.push(id);
        rowCount += BASE_ROWS + entry.scannedCount;
        if (rowCount >= SLICE_ROWS) break;
      }
      return taken;
    },
    asked(id, { againInMs, scannedCount }) {
      if (!dueIn(id, againInMs)) return;
      const entry = entries.get(id)!;
      entry.scannedCount = scannedCount ?? entry.scannedCount;
    },
    nextAtMs() {
      let nextAtMs: number | undefined;
      for (const entry of entries.values()) {
        nextAtMs = Math.min(nextAtMs ?? Infinity, isNotified(entry) ? -Infinity : entry.atMs);
      }
      return nextAtMs;
    },
  };

  /** Keeps an earlier time. Returns whether the destination is known. */
  function dueIn(id: number, ms: number): boolean {
    const entry = entries.get(id);
    if (entry) entry.atMs = Math.min(entry.atMs, now() + ms);
    return entry !== undefined;
  }

  function isNotified(entry: Entry): boolean {
    return entry.notifiedCount < notifiedCount;
  }

  function askable(nowMs: number): readonly (readonly [number, Entry])[] {
    const found = [...entries].filter(([, entry]) => entry.atMs <= nowMs || isNotified(entry));
    return found.toSorted(([, a], [, b]) => a.atMs - b.atMs);
  }
}
