/**
 * Each holder of a request (credential, organization, user, client address) must be within its share: at most a quarter
 * of the free slots outside the reserve. The reserve is for holders of few slots. Greedy organizations therefore leave
 * room for a newcomer, as long as they come from few users or addresses.
 */
export interface SlotPool {
  readonly capacity: number;
  readonly takenCount: number;
  /** Optional. How many slots are few. Default: `FEW_SLOTS`. */
  readonly fewCount?: number | undefined;
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

export function admitsSlot(pool: SlotPool, holders: readonly SlotHolder[], askedCount = 1): boolean {
  const { capacity, takenCount, fewCount = FEW_SLOTS } = pool;
  const freeCount = capacity - takenCount;
  if (freeCount < askedCount) return false;
  const share = Math.floor((freeCount - reservedSlots(capacity)) / SHARE_DIVISOR);
  return holders.every(({ heldCount, maxCount }) => {
    const count = heldCount + askedCount;
    return count <= maxCount && (count <= fewCount || count <= share);
  });
}
