import { scheduleMsOf, staysInPump } from '../../../contract/destinations/options.ts';
import { probeDelayMs } from '../../../contract/destinations/circuit.ts';
import { retryDelayMs } from '../../../contract/deliveries/retry-schedule.ts';
import { type AfterFailure, whatNext } from '../../../contract/deliveries/what-next.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import {
  type FailedAttempt,
  type FailedBatch,
  type FailedSettlement,
  settleFailed,
} from '../../../db/ledger/settle-failed.ts';
import { markNotSettling } from '../../../db/ledger/destinations/not-settling.ts';
import type { WorkerMeter } from '../../../metrics/worker-metrics.ts';
import { retryAfterMs } from '../../deliveries/send-delivery.ts';
import type { AcceptedOutcomes } from './accepted-outcomes.ts';
import { createOutcomeBatcher, type OutcomeBatcher } from './outcome-batcher.ts';
import {
  attemptCountOf,
  attemptsOf,
  type DeliveryOutcome,
  destinationIdOf,
  type Outcome,
  splitLocked,
  toSettled,
  withoutResponse,
} from './outcome.ts';
import type { Log } from '../../../process/log.ts';

export interface FailedOutcomesOptions {
  readonly pool: HotPool;
  readonly shard: number;
  readonly fence: number;
  readonly scheduleMs: readonly number[];
  readonly conversationHoldMs: number;
  readonly probeDelaysMs: readonly number[];
  readonly failingDisableMs: number;
  /** Called once the outcomes are in the ledger. */
  readonly onSettled: (outcomes: readonly Outcome[]) => void;
  /** Starts the workflows of deliveries. Must not block. */
  readonly promote: (ids: ReadonlySet<number>) => void;
  /** Called with the earliest retry that the pump makes. */
  readonly onShortRetry: (atMs: number) => void;
  readonly acceptedOutcomes: Pick<AcceptedOutcomes, 'lastAtMs'>;
  /** Called before `onSettled` with destinations whose circuit is open. */
  readonly onOpen: (destinationIds: ReadonlySet<number>) => void;
  readonly onCircuits: (destinationIds: readonly number[]) => void;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
}

export interface FailedOutcomes extends Pick<OutcomeBatcher<Outcome>, 'add' | 'abandon'> {
  counts(): { readonly promotedCount: number };
}

/** Records failed attempts under the pump's fence. */
export function createFailedOutcomes(options: FailedOutcomesOptions): FailedOutcomes {
  const { pool, meter, log } = options;
  let promotedCount = 0;
  const { add, abandon } = createOutcomeBatcher<Outcome>({
    write,
    salvage: withoutResponse,
    countOf: attemptCountOf,
    onWritten: meter && ((durationMs) => meter.pump.settled({ outcome: 'failed', durationMs })),
    onRefused: (outcomes) => markNotSettling(pool, outcomes.map(destinationIdOf)),
    log,
  });
  return { add, abandon, counts: () => ({ promotedCount }) };

  async function write(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    const batch = toBatch(outcomes, options);
    const settlement = await settleFailed(pool, batch, { waits: false });
    const { locked, settled } = splitLocked(outcomes, settlement.lockedIds);
    recorded(settled, batch, settlement);
    return locked;
  }

  function recorded(outcomes: readonly Outcome[], { failed }: FailedBatch, settled: FailedSettlement): void {
    const { onSettled, promote, onShortRetry, onOpen, onCircuits, meter } = options;
    if (meter) countMoved(meter, failed, settled);
    promotedCount += settled.promotedIds.size;
    if (settled.promotedIds.size > 0) promote(settled.promotedIds);
    const retryAtMs = earliestShortRetry(failed, settled);
    if (retryAtMs !== undefined) onShortRetry(retryAtMs);
    onOpen(destinationsOf(outcomes, settled));
    onCircuits(settled.failingDestinationIds);
    onSettled(outcomes);
  }
}

function toBatch(outcomes: readonly Outcome[], options: FailedOutcomesOptions): FailedBatch {
  const { shard, fence, probeDelaysMs, failingDisableMs } = options;
  return {
    lease: { shard, fence },
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

type FailedOptions = Pick<FailedOutcomesOptions, 'scheduleMs' | 'conversationHoldMs' | 'acceptedOutcomes'>;

/**
 * One request is one failure of the destination, with any number of deliveries. They are due again together, at the
 * latest with the first one, which holds the others back.
 */
function toFailures(outcome: Outcome, options: FailedOptions): readonly FailedAttempt[] {
  const [first, ...following] = attemptsOf(outcome).map((one) => toFailed(one, options)) as [FailedAttempt];
  return [first, ...following.map((one: FailedAttempt) => ({ ...one, after: afterFirst(one.after, first.after) }))];
}

function afterFirst(after: AfterFailure, first: AfterFailure): AfterFailure {
  const counts = { countsForCircuit: 'never' } as const;
  if (after.next !== 'retry' || first.next !== 'retry') return { ...after, ...counts };
  return { ...after, ...counts, nextAttemptAtMs: Math.min(after.nextAttemptAtMs, first.nextAttemptAtMs) };
}

function toFailed(outcome: DeliveryOutcome, options: FailedOptions): FailedAttempt {
  const { scheduleMs, conversationHoldMs, acceptedOutcomes } = options;
  const { row, attempt } = outcome;
  const { number, status } = attempt;
  const { failedInSchedule } = row;
  const kind = failedInSchedule === 0 ? 'first' : 'short';
  const endedAtMs = attempt.startedAtMs + attempt.durationMs;
  const delayMs = retryDelayMs(scheduleMsOf(row.options, scheduleMs), failedInSchedule + 1, Math.random()) ?? null;
  const holds = row.ordering === 'conversation';
  return {
    ...toSettled(outcome),
    kind,
    succeededAtMs: acceptedOutcomes.lastAtMs(row.destinationId),
    after: whatNext({
      kind,
      number,
      failedInSchedule,
      status,
      endedAtMs,
      retryAfterMs: retryAfterMs(attempt),
      delayMs,
      staysInPump: staysInPump(row.options),
    }),
    hold: holds ? { conversationKey: row.conversationKey, untilMs: endedAtMs + conversationHoldMs } : null,
  };
}
