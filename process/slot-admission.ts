/**
 * Each holder of a request (credential, organization, user, client address) must be within its share: at most a quarter
 * of the free slots outside the reserve. The reserve is for holders of few slots. Greedy organizations therefore leave
 * room for a newcomer, as long as they come from few users or addresses.
 */
export interface SlotPool {
  readonly capacity: number;
  readonly takenCount: number;
}

export interface SlotHolder {
  readonly heldCount: number;
  /** Applies even in an empty pool. */
  readonly maxCount: number;
}

/** Enough for a dashboard and one program. */
export const FEW_SLOTS = 2;
const RESERVED_SHARE = 0.2;
/** Ten greedy holders fill 94 % of the open part, and the eleventh still gets a few slots. */
const SHARE_DIVISOR = 4;

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
