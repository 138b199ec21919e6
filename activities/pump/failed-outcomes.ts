import { probeDelayMs } from '../../contract/destinations/circuit.ts';
import { retryDelayMs } from '../../contract/deliveries/retry-schedule.ts';
import { whatNext } from '../../contract/deliveries/what-next.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { type FailedAttempt, type FailedSettlement, settleFailed } from '../../db/ledger/settle-failed.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { retryAfterMs } from '../deliveries/send-delivery.ts';
import { createOutcomeBatcher, type OutcomeBatcher } from './outcome-batcher.ts';
import { type Outcome, toSettled, withoutResponse } from './outcome.ts';
import type { Log } from '../../process/log.ts';

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
  /** Called with deliveries whose workflow must be started. */
  readonly onPromoted: (ids: ReadonlySet<number>) => void;
  /** Called with the earliest retry that the pump makes. */
  readonly onShortRetry: (atMs: number) => void;
  /** When the destination last accepted an attempt that may not be in the ledger yet. */
  readonly succeededAtMs: (destinationId: number) => number | undefined;
  /** Called before `onSettled` with destinations whose circuit is open. */
  readonly onOpen: (destinationIds: ReadonlySet<number>) => void;
  readonly onCircuits: (destinationIds: readonly number[]) => void;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
}

/** Records failed attempts under the pump's fence. */
export function createFailedOutcomes(options: FailedOutcomesOptions): OutcomeBatcher<Outcome> {
  const { pool, shard, fence, onSettled, onPromoted, onShortRetry, onOpen, onCircuits, meter, log } = options;
  return createOutcomeBatcher<Outcome>({
    async write(outcomes) {
      const failed = outcomes.map((outcome) => toFailed(outcome, options));
      const rules = {
        firstProbeMs: probeDelayMs(options.probeDelaysMs, { probesMade: 0 }, Math.random()),
        disableAfterMs: options.failingDisableMs,
      };
      const settled = await settleFailed(pool, { lease: { shard, fence }, failed, rules });
      if (meter) countMoved(meter, failed, settled);
      if (settled.promotedIds.size > 0) onPromoted(settled.promotedIds);
      const retryAtMs = earliestShortRetry(failed, settled);
      if (retryAtMs !== undefined) onShortRetry(retryAtMs);
      onOpen(destinationsOf(outcomes, settled));
      onCircuits(settled.failingDestinationIds);
      onSettled(outcomes);
    },
    salvage: withoutResponse,
    log,
  });
}

function countMoved(meter: WorkerMeter, failed: readonly FailedAttempt[], { movedIds }: FailedSettlement): void {
  const moved = failed.filter(({ deliveryId }) => movedIds.has(deliveryId));
  const retrying = moved.filter(({ after }) => after.next === 'retry');
  meter.moved('retrying', retrying.length);
  meter.moved('exhausted', moved.length - retrying.length);
}

function destinationsOf(outcomes: readonly Outcome[], settled: FailedSettlement): ReadonlySet<number> {
  const waiting = outcomes.filter(({ row }) => settled.waitingIds.has(row.id));
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

type FailedOptions = Pick<FailedOutcomesOptions, 'scheduleMs' | 'conversationHoldMs' | 'succeededAtMs'>;

function toFailed(outcome: Outcome, { scheduleMs, conversationHoldMs, succeededAtMs }: FailedOptions): FailedAttempt {
  const { row, attempt } = outcome;
  const { number, status } = attempt;
  const { failedInSchedule } = row;
  const kind = failedInSchedule === 0 ? 'first' : 'short';
  const endedAtMs = attempt.startedAtMs + attempt.durationMs;
  const delayMs = retryDelayMs(scheduleMs, failedInSchedule + 1, Math.random()) ?? null;
  const holds = row.ordering === 'conversation';
  return {
    ...{ ...toSettled(outcome), kind },
    succeededAtMs: succeededAtMs(row.destinationId),
    after: whatNext({
      kind,
      number,
      failedInSchedule,
      status,
      endedAtMs,
      retryAfterMs: retryAfterMs(attempt),
      delayMs,
    }),
    hold: holds ? { conversationKey: row.conversationKey, untilMs: endedAtMs + conversationHoldMs } : null,
  };
}
