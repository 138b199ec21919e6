import { scheduleMsOf, staysInPump } from '../../../contract/destinations/options.ts';
import { probeDelayMs } from '../../../contract/destinations/circuit.ts';
import { retryDelayMs } from '../../../contract/deliveries/retry-schedule.ts';
import { type AfterFailure, whatNext } from '../../../contract/deliveries/what-next.ts';
import type { FailedAttempt, FailedBatch, FailedSettlement } from '../../../db/ledger/settle-failed.ts';
import type { WorkerMeter } from '../../../metrics/worker-metrics.ts';
import { retryAfterMs } from '../../deliveries/send-delivery.ts';
import type { PumpLedger } from '../ledger/pump-ledger.ts';
import type { HealthRecorder } from './health-recorder.ts';
import { createOutcomeBatcher, type OutcomeBatcher } from './outcome-batcher.ts';
import {
  attemptCountOf,
  attemptsOf,
  type DeliveryOutcome,
  destinationIdOf,
  endedAtMs,
  type Outcome,
  splitLocked,
  toSettled,
  withoutResponse,
} from './outcome.ts';
import type { Log } from '../../../process/log.ts';

export interface FailedOutcomesOptions {
  readonly ledger: Pick<PumpLedger, 'settleFailed' | 'markNotSettling'>;
  readonly scheduleMs: readonly number[];
  readonly conversationHoldMs: number;
  readonly probeDelaysMs: readonly number[];
  readonly failingDisableMs: number;
  /** Called once the outcomes are in the ledger. */
  readonly onSettled: (outcomes: readonly Outcome[], settled: SettledFailures) => void;
  readonly health: Pick<HealthRecorder, 'lastAcceptedAtMs' | 'flush'>;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
}

/** What the pump must do after a settlement. */
export interface SettledFailures {
  /** Deliveries whose workflow must start. */
  readonly promotedIds: ReadonlySet<number>;
  /** The earliest retry that the pump makes. Undefined without one. */
  readonly retryAtMs: number | undefined;
  /** Destinations whose circuit is open. */
  readonly openIds: ReadonlySet<number>;
  /** Destinations whose workflow must be signalled. */
  readonly failingIds: readonly number[];
}

/** Records failed attempts, each under the lease with which it was sent. */
export function createFailedOutcomes(options: FailedOutcomesOptions): Pick<OutcomeBatcher<Outcome>, 'add' | 'abandon'> {
  const { ledger, health, meter, onSettled, log } = options;
  return createOutcomeBatcher<Outcome>({
    write,
    salvage: withoutResponse,
    countOf: attemptCountOf,
    destinationIdOf,
    onWritten: meter && ((durationMs) => meter.pump.settled({ outcome: 'failed', durationMs })),
    onRefused: (outcomes) => ledger.markNotSettling(outcomes.map(destinationIdOf)),
    log,
  });

  async function write(outcomes: readonly Outcome[], how: { readonly waits: boolean }): Promise<readonly Outcome[]> {
    // Whether a circuit opens depends on what was accepted before, so that failures wait with it for a lock.
    const unrecorded = splitLocked(outcomes, await health.flush(outcomes.map(destinationIdOf), how));
    if (unrecorded.settled.length === 0) return outcomes;
    const batch = toBatch(unrecorded.settled, options);
    const settlement = await ledger.settleFailed(batch, how);
    const { locked, settled } = splitLocked(unrecorded.settled, settlement.lockedIds);
    if (meter) countMoved(meter, batch.failed, settlement);
    onSettled(settled, {
      promotedIds: settlement.promotedIds,
      retryAtMs: earliestShortRetry(batch.failed, settlement),
      openIds: destinationsOf(settled, settlement),
      failingIds: settlement.failingDestinationIds,
    });
    return [...unrecorded.locked, ...locked];
  }
}

function toBatch(outcomes: readonly Outcome[], options: FailedOutcomesOptions): FailedBatch {
  const { probeDelaysMs, failingDisableMs } = options;
  return {
    failed: outcomes.flatMap((outcome) => toFailures(outcome, options)),
    rules: {
      firstProbeMs: probeDelayMs(probeDelaysMs, { probesMade: 0 }, Math.random()),
      disableAfterMs: failingDisableMs,
    },
  };
}

function countMoved(meter: WorkerMeter, failed: readonly FailedAttempt[], { movedIds }: FailedSettlement): void {
  const moved = failed.filter(({ deliveryId }) => movedIds.has(deliveryId));
  const retrying = moved.filter(({ after }) => after.next === 'retry');
  meter.moved('retrying', retrying.length);
  meter.moved('exhausted', moved.length - retrying.length);
}

function destinationsOf(outcomes: readonly Outcome[], settled: FailedSettlement): ReadonlySet<number> {
  const waiting = outcomes.flatMap(attemptsOf).filter(({ row }) => settled.waitingIds.has(row.id));
  return new Set([...waiting.map(({ row }) => row.destinationId), ...settled.failingDestinationIds]);
}

function earliestShortRetry(
  failed: readonly FailedAttempt[],
  { movedIds, promotedIds }: FailedSettlement,
): number | undefined {
  const times = failed.flatMap(({ deliveryId, after }) =>
    after.next === 'retry' && movedIds.has(deliveryId) && !promotedIds.has(deliveryId) ? [after.nextAttemptAtMs] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

type FailedOptions = Pick<FailedOutcomesOptions, 'scheduleMs' | 'conversationHoldMs' | 'health'>;

/**
 * One request is one failure of the destination, with any number of deliveries. They are due again together, at the
 * latest with the first one, which holds the others back.
 */
function toFailures(outcome: Outcome, options: FailedOptions): readonly FailedAttempt[] {
  const { lease } = outcome;
  const attempts = attemptsOf(outcome).map((one) => ({ ...toFailed(one, options), lease }));
  const [first, ...following] = attempts as [FailedAttempt];
  return [first, ...following.map((one: FailedAttempt) => ({ ...one, after: afterFirst(one.after, first.after) }))];
}

function afterFirst(after: AfterFailure, first: AfterFailure): AfterFailure {
  const counts = { countsForCircuit: 'never' } as const;
  if (after.next !== 'retry' || first.next !== 'retry') return { ...after, ...counts };
  return { ...after, ...counts, nextAttemptAtMs: Math.min(after.nextAttemptAtMs, first.nextAttemptAtMs) };
}

function toFailed(outcome: DeliveryOutcome, options: FailedOptions): FailedAttempt {
  const { scheduleMs, conversationHoldMs, health } = options;
  const { row, attempt } = outcome;
  const { number, status } = attempt;
  const { failedInSchedule } = row;
  const kind = failedInSchedule === 0 ? 'first' : 'short';
  const endAtMs = endedAtMs(attempt);
  const delayMs = retryDelayMs(scheduleMsOf(row.options, scheduleMs), failedInSchedule + 1, Math.random()) ?? null;
  const holds = row.ordering === 'conversation';
  return {
    ...toSettled(outcome),
    kind,
    succeededAtMs: health.lastAcceptedAtMs(row.destinationId),
    after: whatNext({
      kind,
      number,
      failedInSchedule,
      status,
      endedAtMs: endAtMs,
      retryAfterMs: retryAfterMs(attempt),
      delayMs,
      staysInPump: staysInPump(row.options),
    }),
    hold: holds ? { conversationKey: row.conversationKey, untilMs: endAtMs + conversationHoldMs } : null,
  };
}
