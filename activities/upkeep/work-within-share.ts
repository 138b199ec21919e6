import type { ShareOwner, Shares } from '../../process/shares.ts';

/** An activity returns to its workflow after this time. */
const WORK_MS = 60_000;

export interface ShareOfWork {
  readonly shares: Shares;
  readonly owner: ShareOwner;
  /** Aborts on cancellation and on shutdown. */
  readonly ended: AbortSignal;
}

export interface WorkTime {
  /** Returns false after a minute, on cancellation and on shutdown. Beyond the share of the owner, after one slice. */
  readonly mayContinue: () => boolean;
  readonly hasShare: boolean;
}

/**
 * Works in slices for a minute. Beyond the share of its owner, an activity does a single slice, so that the slots of the
 * queue go round among the tenants.
 */
export async function workWithinShare<Result>(
  { shares, owner, ended }: ShareOfWork,
  work: (time: WorkTime) => Promise<Result>,
): Promise<Result> {
  const giveBack = shares.tryTake(owner);
  const hasShare = giveBack !== undefined;
  const untilMs = hasShare ? performance.now() + WORK_MS : Number.NEGATIVE_INFINITY;
  let isFirst = true;
  const mayContinue = (): boolean => {
    const hasTime = isFirst || performance.now() < untilMs;
    isFirst = false;
    return hasTime && !ended.aborted;
  };
  try {
    return await work({ mayContinue, hasShare });
  } finally {
    giveBack?.();
  }
}
