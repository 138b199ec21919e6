import { probeDelayMs } from '../../contract/destinations/circuit.ts';
import { retryDelayMs } from '../../contract/deliveries/retry-schedule.ts';
import { whatNext } from '../../contract/deliveries/what-next.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import type { ClaimedDelivery } from '../../db/ledger/claim.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { settleAccepted } from '../../db/ledger/settle-accepted.ts';
import { type FailedAttempt, type FailedSettlement, settleFailed } from '../../db/ledger/settle-failed.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { retryAfterMs } from '../deliveries/send-delivery.ts';
import { createOutcomeBatcher, type OutcomeBatcher } from './outcome-batcher.ts';
import type { Log } from '../../process/log.ts';

export interface Outcome {
  readonly row: ClaimedDelivery;
  readonly attempt: Attempt;
}

export interface OutcomeBatchers {
  readonly accepted: OutcomeBatcher<Outcome>;
  readonly failed: OutcomeBatcher<Outcome>;
}

export interface OutcomeOptions {
  readonly pool: HotPool;
  readonly shard: number;
  readonly fence: number;
  readonly scheduleMs: readonly number[];
  readonly conversationHoldMs: number;
  readonly probeDelaysMs: readonly number[];
  readonly failingDisableMs: number;
  /** Called once the outcomes are in the ledger. */
  readonly onSettled: (outcomes: readonly Outcome[], outcome: 'accepted' | 'failed') => void;
  readonly onRetrying: (ids: ReadonlySet<number>) => void;
  /** Called before `onSettled` with destinations whose circuit is open. */
  readonly onOpen: (destinationIds: ReadonlySet<number>) => void;
  readonly onCircuits: (destinationIds: readonly number[]) => void;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
}

/** Only failures check the fence: an accepted delivery is recorded even after the lease is lost. */
export function createOutcomeBatchers(options: OutcomeOptions): OutcomeBatchers {
  const { pool, shard, fence, onSettled, onRetrying, onOpen, onCircuits, meter, log } = options;
  return {
    accepted: createOutcomeBatcher<Outcome>({
      async write(outcomes) {
        onCircuits(await settleAccepted(pool, outcomes.map(toSettled)));
        if (meter) countDelivered(meter, outcomes);
        onSettled(outcomes, 'accepted');
      },
      salvage: withoutResponse,
      log,
    }),
    failed: createOutcomeBatcher<Outcome>({
      async write(outcomes) {
        const failed = outcomes.map((outcome) => toFailed(outcome, options));
        const rules = {
          firstProbeMs: probeDelayMs(options.probeDelaysMs, { probesMade: 0 }, Math.random()),
          disableAfterMs: options.failingDisableMs,
        };
        const settled = await settleFailed(pool, { lease: { shard, fence }, failed, rules });
        if (meter) countMoved(meter, failed, settled);
        onRetrying(settled.movedIds);
        onOpen(destinationsOf(outcomes, settled));
        onCircuits(settled.failingDestinationIds);
        onSettled(outcomes, 'failed');
      },
      salvage: withoutResponse,
      log,
    }),
  };
}

function countDelivered(meter: WorkerMeter, outcomes: readonly Outcome[]): void {
  meter.moved('delivered', outcomes.length);
  for (const { row, attempt } of outcomes) {
    meter.delivered(attempt.startedAtMs + attempt.durationMs - row.acceptedAtMs);
  }
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

function toSettled({ row, attempt }: Outcome) {
  return { deliveryId: row.id, destinationId: row.destinationId, attempt };
}

function withoutResponse({ row, attempt }: Outcome): Outcome {
  return { row, attempt: { ...attempt, responseHeaders: null, responseBody: null, responseBodyKeyId: null } };
}

function toFailed(outcome: Outcome, { scheduleMs, conversationHoldMs }: OutcomeOptions): FailedAttempt {
  const { row, attempt } = outcome;
  const { number, status } = attempt;
  const kind = 'pumped';
  const endedAtMs = attempt.startedAtMs + attempt.durationMs;
  const delayMs = retryDelayMs(scheduleMs, row.failedInSchedule + 1, Math.random()) ?? null;
  const holds = row.ordering === 'conversation';
  return {
    ...{ ...toSettled(outcome), kind },
    after: whatNext({ kind, number, status, endedAtMs, retryAfterMs: retryAfterMs(attempt), delayMs }),
    hold: holds ? { conversationKey: row.conversationKey, untilMs: endedAtMs + conversationHoldMs } : null,
  };
}
