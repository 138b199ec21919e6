import type { OutcomeBatcher } from './outcome-batcher.ts';
import type { Outcome } from './outcome.ts';

/** Runs a write when the earlier ones of the same group have ended. */
export type InTurn = (write: () => Promise<void>) => Promise<void>;

/**
 * Writes that wait for locked destinations, in groups. One write of each group runs at a time, for all pumps of a
 * process, so that waiting statements never take all connections of the pool.
 */
export type LockWaits = readonly InTurn[];

/** Statements that may wait at the same time. Few destinations are locked for longer than milliseconds. */
const WAITING_STATEMENTS = 3;

export function createLockWaits(): LockWaits {
  return Array.from({ length: WAITING_STATEMENTS }, createInTurn);
}

function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (write) => {
    const written = last.then(write);
    last = written.catch(() => undefined);
    return written;
  };
}

/** Adds the outcomes of locked destinations to the batcher of their group. Returns the others. */
export function setLockedApart<Settled extends Outcome>(
  outcomes: readonly Settled[],
  { lockedIds, waiting }: { lockedIds: ReadonlySet<number>; waiting: readonly OutcomeBatcher<Settled>[] },
): readonly Settled[] {
  if (lockedIds.size === 0) return outcomes;
  const [locked, others] = [true, false].map((isLocked) =>
    outcomes.filter(({ row }) => lockedIds.has(row.destinationId) === isLocked),
  ) as [Settled[], Settled[]];
  for (const outcome of locked) waiting[outcome.row.destinationId % waiting.length]!.add(outcome);
  return others;
}
