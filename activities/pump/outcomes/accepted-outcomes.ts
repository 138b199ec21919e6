import type { HotPool } from '../../../db/core/hot-pool.ts';
import { markNotSettling } from '../../../db/ledger/destinations/not-settling.ts';
import { settleAccepted, settleAcceptedUnlessLocked } from '../../../db/ledger/settle-accepted.ts';
import type { WorkerMeter } from '../../../metrics/worker-metrics.ts';
import type { Log } from '../../../process/log.ts';
import { createLockWaits, type LockWaits, setLockedApart } from './lock-waits.ts';
import { createOutcomeBatcher, type OutcomeBatcherOptions } from './outcome-batcher.ts';
import { attemptCountOf, attemptsOf, destinationIdOf, type Outcome, toSettled, withoutResponse } from './outcome.ts';
import { createUnsettledSuccesses } from './unsettled-successes.ts';

/** Records what receivers accepted, for all pumps of a process in one statement at a time: it needs no lease. */
export interface AcceptedOutcomes {
  /** Repeats a failed write until it succeeds, even after the pump has ended. */
  add(accepted: AcceptedOutcome, isUrgent?: boolean): void;
  /** When a destination last accepted an attempt that is not in the ledger yet. */
  lastAtMs(destinationId: number): number | undefined;
  /** Failed attempts wait in the same groups. */
  readonly lockWaits: LockWaits;
}

export interface AcceptedOutcome extends Outcome {
  /** Called once the outcomes are in the ledger. */
  readonly onSettled: OnSettled;
}

type OnSettled = (outcomes: readonly Outcome[]) => void;

export interface AcceptedOutcomesOptions {
  readonly pool: HotPool;
  readonly onCircuits: (destinationIds: readonly number[]) => void;
  readonly meter?: WorkerMeter | undefined;
  /** Optional. See `OutcomeBatcherOptions`. */
  readonly refusedRetryMs?: number | undefined;
  readonly log: Log;
}

/** A crash repeats what has gathered. Later rows of the conversations don't wait for it. */
const GATHER = { count: 64, maxWaitMs: 8 };

/**
 * A transaction that ends a large backlog locks its destination for seconds. Outcomes of a locked destination wait apart
 * from all others.
 */
export function createAcceptedOutcomes(settings: AcceptedOutcomesOptions): AcceptedOutcomes {
  const { pool, onCircuits, meter, log } = settings;
  const unsettled = createUnsettledSuccesses();
  const lockWaits = createLockWaits();
  const waiting = lockWaits.map((inTurn) =>
    createBatcher({
      write: (outcomes) => inTurn(async () => recorded(outcomes, await settleAccepted(pool, allSettled(outcomes)))),
    }),
  );
  const batcher = createBatcher({ gather: GATHER, write: settleUnlessLocked });
  return {
    lockWaits,
    lastAtMs: unsettled.lastAtMs,
    add(accepted, isUrgent) {
      unsettled.add(accepted);
      batcher.add(accepted, isUrgent);
    },
  };

  function createBatcher(options: Pick<OutcomeBatcherOptions<AcceptedOutcome>, 'write' | 'gather'>) {
    const salvage = ({ onSettled, ...outcome }: AcceptedOutcome) => ({ ...withoutResponse(outcome), onSettled });
    const onWritten = meter && ((durationMs: number) => meter.pump.settled({ outcome: 'accepted', durationMs }));
    const onRefused = async (outcomes: readonly Outcome[]) =>
      await markNotSettling(pool, outcomes.map(destinationIdOf));
    return createOutcomeBatcher<AcceptedOutcome>({
      ...options,
      salvage,
      countOf: attemptCountOf,
      onWritten,
      onRefused,
      refusedRetryMs: settings.refusedRetryMs,
      log,
    });
  }

  async function settleUnlessLocked(outcomes: readonly AcceptedOutcome[]): Promise<void> {
    const { closedIds, leftOutIds } = await settleAcceptedUnlessLocked(pool, allSettled(outcomes));
    recorded(setLockedApart(outcomes, { lockedIds: leftOutIds, waiting }), closedIds);
  }

  function recorded(outcomes: readonly AcceptedOutcome[], closedIds: readonly number[]): void {
    onCircuits(closedIds);
    unsettled.settled(outcomes);
    if (meter) countDelivered(meter, outcomes);
    for (const [onSettled, settled] of Map.groupBy(outcomes, (outcome) => outcome.onSettled)) onSettled(settled);
  }
}

function allSettled(outcomes: readonly Outcome[]) {
  return outcomes.flatMap(attemptsOf).map(toSettled);
}

function countDelivered(meter: WorkerMeter, outcomes: readonly Outcome[]): void {
  const delivered = outcomes.flatMap(attemptsOf);
  meter.moved('delivered', delivered.length);
  for (const { row, attempt } of delivered) {
    meter.delivered(attempt.startedAtMs + attempt.durationMs - row.acceptedAtMs);
  }
}
