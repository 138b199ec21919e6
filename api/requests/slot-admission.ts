/**
 * Decides who gets one of a process' slots: open streams, waiting readers. A request counts against several holders at
 * once (its credential, organization, person and client address), and each of them must be within its share.
 *
 * A share shrinks as the pool fills: a holder may hold at most a quarter of what is then free outside the reserve. The
 * reserve, the last fifth of the pool, is for requests all of whose holders hold next to nothing. Any number of greedy
 * organizations therefore leaves room for a newcomer, as long as they come from few persons or few addresses.
 */
export interface SlotPool {
  readonly capacity: number;
  readonly takenCount: number;
}

/** One of those that a request counts against. */
export interface SlotHolder {
  readonly heldCount: number;
  /** An absolute bound, however empty the pool is. */
  readonly maxCount: number;
}

/** Slots also granted from the reserve: enough for a dashboard and one program. */
export const FEW_SLOTS = 2;
const RESERVED_SHARE = 0.2;
/** With a quarter each, ten greedy holders fill 94 % of the open part, and the eleventh still gets its few slots. */
const SHARE_DIVISOR = 4;

/** The part of a pool that only holders of few slots may take. */
export function reservedSlots(capacity: number): number {
  return Math.ceil(capacity * RESERVED_SHARE);
}

export function admitsSlot({ capacity, takenCount }: SlotPool, holders: readonly SlotHolder[]): boolean {
  const freeCount = capacity - takenCount;
  if (freeCount <= 0) return false;
  const share = Math.floor((freeCount - reservedSlots(capacity)) / SHARE_DIVISOR);
  return holders.every(
    ({ heldCount, maxCount }) => heldCount < maxCount && (heldCount < FEW_SLOTS || heldCount < share),
  );
}
