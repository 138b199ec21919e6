import type { HotPool } from '../../../db/core/hot-pool.ts';
import { markNotSettling } from '../../../db/ledger/destinations/not-settling.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import type { WorkerMeter } from '../../../metrics/worker-metrics.ts';
import type { Log } from '../../../process/log.ts';
import { createOutcomeBatcher, createTurn, type Turn } from './outcome-batcher.ts';
import {
  attemptCountOf,
  attemptsOf,
  destinationIdOf,
  endedAtMs,
  type Outcome,
  splitLocked,
  toSettled,
  withoutResponse,
} from './outcome.ts';

/** Records what receivers accepted, in one statement at a time. It needs no lease. */
export interface AcceptedOutcomes {
  /** Repeats a failed write until it succeeds, even after the pump has ended. */
  add(accepted: Outcome): void;
  /**
   * When a destination last accepted an attempt that is not in the ledger yet. Accepted and failed attempts are settled
   * apart, so the ledger alone would take failures for consecutive that had a 2xx between them.
   */
  lastAtMs(destinationId: number): number | undefined;
  /** In whose turn an outcome waits for a lock. Failed ones wait in the same turns. */
  turnOf(outcome: Outcome): Turn;
}

export interface AcceptedOutcomesOptions {
  readonly pool: HotPool;
  /** Called once the outcomes are in the ledger. */
  readonly onSettled: (outcomes: readonly Outcome[]) => void;
  readonly onCircuits: (destinationIds: readonly number[]) => void;
  readonly meter?: WorkerMeter | undefined;
  /** Optional. See `OutcomeBatcherOptions`. */
  readonly refusedRetryMs?: number | undefined;
  readonly log: Log;
}

/** Statements that wait for locks at a time, so that they never take all connections. Few are held for long. */
const LOCK_WAITS = 3;
/** A crash repeats the outcomes that wait in a batch. Neither slots nor conversations wait for it. */
const FILL = { count: 64, waitMs: 50 };

export function createAcceptedOutcomes(options: AcceptedOutcomesOptions): AcceptedOutcomes {
  const { pool, onSettled, onCircuits, meter, refusedRetryMs, log } = options;
  const lastAtMs = new Map<number, number>();
  const turns = Array.from({ length: LOCK_WAITS }, createTurn);
  const turnOf = ({ row }: Outcome): Turn => turns[row.destinationId % LOCK_WAITS]!;
  const batcher = createOutcomeBatcher<Outcome>({
    write,
    turnOf,
    fill: FILL,
    salvage: withoutResponse,
    countOf: attemptCountOf,
    onWritten: meter && ((durationMs) => meter.pump.settled({ outcome: 'accepted', durationMs })),
    onRefused: (outcomes) => markNotSettling(pool, outcomes.map(destinationIdOf)),
    refusedRetryMs,
    log,
  });
  return {
    turnOf,
    lastAtMs: (destinationId) => lastAtMs.get(destinationId),
    add(accepted) {
      const { destinationId } = accepted.row;
      lastAtMs.set(destinationId, Math.max(lastAtMs.get(destinationId) ?? 0, endedAtMs(accepted.attempt)));
      batcher.add(accepted);
    },
  };

  async function write(outcomes: readonly Outcome[], how: { readonly waits: boolean }): Promise<readonly Outcome[]> {
    const attempts = outcomes.flatMap(attemptsOf).map(toSettled);
    const { closedIds, lockedIds } = await settleAccepted(pool, attempts, how);
    const { locked, settled } = splitLocked(outcomes, lockedIds);
    onCircuits(closedIds);
    for (const { row, attempt } of settled) {
      if ((lastAtMs.get(row.destinationId) ?? Infinity) <= endedAtMs(attempt)) lastAtMs.delete(row.destinationId);
    }
    if (meter) countDelivered(meter, settled);
    onSettled(settled);
    return locked;
  }
}

function countDelivered(meter: WorkerMeter, outcomes: readonly Outcome[]): void {
  const delivered = outcomes.flatMap(attemptsOf);
  meter.moved('delivered', delivered.length);
  for (const { row, attempt } of delivered) meter.delivered(endedAtMs(attempt) - row.acceptedAtMs);
}
