import { nextDelayMs, retryDelayMs } from '../../contract/retry-schedule.ts';
import type { ClaimedDelivery } from '../../db/claim.ts';
import type { HotPool } from '../../db/hot-pool.ts';
import { settleAccepted, settleFailed, type Attempt, type FailedFirstAttempt } from '../../db/settle.ts';
import { retryAfterMs } from '../attempt.ts';
import { createSettler, type Settler } from './settler.ts';
import type { Log } from '../../log.ts';

/** A claimed delivery and the attempt that was made. */
export interface Outcome {
  readonly row: ClaimedDelivery;
  readonly attempt: Attempt;
}

export interface OutcomeSettlers {
  readonly accepted: Settler<Outcome>;
  readonly failed: Settler<Outcome>;
}

export interface OutcomeOptions {
  readonly pool: HotPool;
  readonly shard: number;
  readonly fence: number;
  readonly scheduleMs: readonly number[];
  readonly conversationHoldMs: number;
  /** The outcomes are in the ledger. */
  readonly onSettled: (outcomes: readonly Outcome[], outcome: 'accepted' | 'failed') => void;
  /** These went to the retry schedule. */
  readonly onTroubled: (ids: ReadonlySet<number>) => void;
  readonly log: Log;
}

/** Two settlers, because only failures depend on the fence: what was accepted is recorded whoever holds the shard. */
export function createOutcomeSettlers(options: OutcomeOptions): OutcomeSettlers {
  const { pool, shard, fence, onSettled, onTroubled, log } = options;
  return {
    accepted: createSettler<Outcome>({
      async write(outcomes) {
        await settleAccepted(pool, outcomes.map(toSettled));
        onSettled(outcomes, 'accepted');
      },
      salvage: withoutResponse,
      log,
    }),
    failed: createSettler<Outcome>({
      async write(outcomes) {
        const failed = outcomes.map((outcome) => toFailed(outcome, options));
        onTroubled(await settleFailed(pool, { shard, fence, failed }));
        onSettled(outcomes, 'failed');
      },
      salvage: withoutResponse,
      log,
    }),
  };
}

function toSettled({ row, attempt }: Outcome) {
  return { deliveryId: row.id, destinationId: row.destinationId, attempt };
}

function withoutResponse({ row, attempt }: Outcome): Outcome {
  return { row, attempt: { ...attempt, responseHeaders: null, responseBody: null } };
}

function toFailed(outcome: Outcome, { scheduleMs, conversationHoldMs }: OutcomeOptions): FailedFirstAttempt {
  const { row, attempt } = outcome;
  const endedAtMs = attempt.startedAtMs + attempt.durationMs;
  const scheduledMs = retryDelayMs(scheduleMs, row.failedInSchedule + 1, Math.random());
  const holds = row.ordering === 'conversation';
  return {
    ...toSettled(outcome),
    nextAttemptAtMs: scheduledMs === undefined ? null : endedAtMs + nextDelayMs(scheduledMs, retryAfterMs(attempt)),
    hold: holds ? { conversationKey: row.conversationKey, untilMs: endedAtMs + conversationHoldMs } : null,
  };
}
