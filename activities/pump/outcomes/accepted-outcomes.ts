import type { HotPool } from '../../../db/core/hot-pool.ts';
import { markNotSettling } from '../../../db/ledger/destinations/not-settling.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import type { WorkerMeter } from '../../../metrics/worker-metrics.ts';
import type { Log } from '../../../process/log.ts';
import { createOutcomeBatcher } from './outcome-batcher.ts';
import {
  attemptCountOf,
  attemptsOf,
  destinationIdOf,
  type Outcome,
  splitLocked,
  toSettled,
  withoutResponse,
} from './outcome.ts';
import { createUnsettledSuccesses } from './unsettled-successes.ts';

/** Records what receivers accepted, for all pumps of a process in one statement at a time: it needs no lease. */
export interface AcceptedOutcomes {
  /** Repeats a failed write until it succeeds, even after the pump has ended. */
  add(accepted: AcceptedOutcome, isUrgent?: boolean): void;
  /** When a destination last accepted an attempt that is not in the ledger yet. */
  lastAtMs(destinationId: number): number | undefined;
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

/** A crash repeats the outcomes that wait in a batch. Later rows of the conversations don't wait for it. */
const FILL = { count: 64, maxWaitMs: 8 };

export function createAcceptedOutcomes(settings: AcceptedOutcomesOptions): AcceptedOutcomes {
  const { pool, onCircuits, meter, refusedRetryMs, log } = settings;
  const unsettled = createUnsettledSuccesses();
  const batcher = createOutcomeBatcher<AcceptedOutcome>({
    write,
    fill: FILL,
    salvage: ({ onSettled, ...outcome }) => ({ ...withoutResponse(outcome), onSettled }),
    countOf: attemptCountOf,
    onWritten: meter && ((durationMs) => meter.pump.settled({ outcome: 'accepted', durationMs })),
    onRefused: (outcomes) => markNotSettling(pool, outcomes.map(destinationIdOf)),
    refusedRetryMs,
    log,
  });
  return {
    lastAtMs: unsettled.lastAtMs,
    add(accepted, isUrgent) {
      unsettled.add(accepted);
      batcher.add(accepted, isUrgent);
    },
  };

  async function write(outcomes: readonly AcceptedOutcome[]): Promise<readonly AcceptedOutcome[]> {
    const { closedIds, lockedIds } = await settleAccepted(pool, allSettled(outcomes), { waits: false });
    const { locked, settled } = splitLocked(outcomes, lockedIds);
    recorded(settled, closedIds);
    return locked;
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
