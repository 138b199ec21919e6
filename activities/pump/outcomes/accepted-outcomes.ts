import type { WorkerMeter } from '../../../metrics/worker-metrics.ts';
import type { Log } from '../../../process/log.ts';
import type { PumpLedger } from '../ledger/pump-ledger.ts';
import { createOutcomeBatcher, type OutcomeBatcher } from './outcome-batcher.ts';
import {
  attemptCountOf,
  attemptsOf,
  destinationIdOf,
  endedAtMs,
  type Outcome,
  toSettled,
  withoutResponse,
} from './outcome.ts';

export interface AcceptedOutcomesOptions {
  readonly ledger: Pick<PumpLedger, 'settleAccepted' | 'markNotSettling'>;
  /** Called once the outcomes are in the ledger. */
  readonly onSettled: (outcomes: readonly Outcome[]) => void;
  readonly meter?: WorkerMeter | undefined;
  /** Optional. See `OutcomeBatcherOptions`. */
  readonly refusedRetryMs?: number | undefined;
  readonly log: Log;
}

/** A crash repeats the outcomes that wait in a batch. Neither slots nor conversations wait for it. */
const FILL = { count: 64, waitMs: 50 };

/**
 * Records what receivers accepted, in one statement at a time. It needs no lease, and repeats a failed write until it
 * succeeds, even after the pump has ended.
 */
export function createAcceptedOutcomes(options: AcceptedOutcomesOptions): Pick<OutcomeBatcher<Outcome>, 'add'> {
  const { ledger, onSettled, meter, refusedRetryMs, log } = options;
  return createOutcomeBatcher<Outcome>({
    write,
    fill: FILL,
    salvage: withoutResponse,
    countOf: attemptCountOf,
    onWritten: meter && ((durationMs) => meter.pump.settled({ outcome: 'accepted', durationMs })),
    onRefused: (outcomes) => ledger.markNotSettling(outcomes.map(destinationIdOf)),
    refusedRetryMs,
    log,
  });

  async function write(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    await ledger.settleAccepted(outcomes.flatMap(attemptsOf).map(toSettled));
    if (meter) countDelivered(meter, outcomes);
    onSettled(outcomes);
    return [];
  }
}

function countDelivered(meter: WorkerMeter, outcomes: readonly Outcome[]): void {
  const delivered = outcomes.flatMap(attemptsOf);
  meter.moved('delivered', delivered.length);
  for (const { row, attempt } of delivered) meter.delivered(endedAtMs(attempt) - row.acceptedAtMs);
}
