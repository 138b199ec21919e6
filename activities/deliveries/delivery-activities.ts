import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../contract/failures.ts';
import { sequenceOf, type IdKey } from '../../contract/ids.ts';
import { pauseMs } from '../../contract/destinations/circuit.ts';
import { nextDelayMs, wholeScheduleMs } from '../../contract/deliveries/retry-schedule.ts';
import { BODY_UNREADABLE } from '../../db/core/body-box.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { settleAccepted, type Attempt } from '../../db/ledger/settle.ts';
import { recordSingleFailure } from '../../db/ledger/single-failure.ts';
import {
  endFailedDelivery,
  loadFailedAttempt,
  postponeUnreadable,
  releaseHold,
  type FailedAttemptRow,
  UNREADABLE_WAIT_MS,
} from '../../db/ledger/failed-attempts.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { describeAttempt, retryAfterMs, type SendDelivery, undefinedIfUnreadable } from './send-delivery.ts';
import type { Log } from '../../process/log.ts';

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

export interface AttemptDelivery {
  readonly deliveryId: string;
  readonly attempt: number;
  /**
   * Identifies a repeat of the activity. Optional: workflows started before circuits existed omit it, and `attempt`
   * identifies their repeats.
   */
  readonly failedInSchedule?: number;
  /** Optional. A requested attempt is made even if the circuit is open. */
  readonly isRequested?: boolean;
  readonly retryDelayMs: number | null;
}

export type DeliveryAnswer =
  | { readonly status: 'delivered' | 'exhausted'; readonly description: string; readonly attemptsMade?: number }
  | {
      readonly status: 'retrying';
      readonly description: string;
      readonly nextAttemptAtMs: number;
      readonly attemptsMade?: number;
    }
  /** The schedule does not advance: the circuit is open, or the body can't be decrypted. */
  | {
      readonly status: 'waiting';
      readonly attemptsMade: number;
      readonly nextAttemptAtMs: number;
      readonly description?: string;
    }
  | { readonly status: 'ended' };

export interface DeliveryActivityDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly sendDelivery: SendDelivery;
  readonly signalCircuits: (destinationIds: readonly number[]) => void;
  readonly settings: { readonly scheduleMs: readonly number[]; readonly failingDisableMs: number };
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
}

/** A waiting delivery checks its circuit at this interval, in case the signal `circuitClosed` is lost. */
const CIRCUIT_CHECK_MS = 15 * 60_000;

export function createDeliveryActivities(deps: DeliveryActivityDeps) {
  const { pool, idKey, sendDelivery, signalCircuits, settings, meter, log } = deps;
  return {
    async attemptDelivery(input: AttemptDelivery): Promise<DeliveryAnswer> {
      const { deliveryId } = input;
      const row = await load(deliveryId);
      const skipped = await answerWithoutAttempt(row, input);
      if (skipped) return skipped;

      const number = row.attemptCount + 1;
      const attempt = await sendDelivery(row, number).catch(undefinedIfUnreadable);
      if (!attempt) return await postpone(row);
      const { outcome, status, error, durationMs } = attempt;
      log.info('delivery.attempted', { deliveryId, attempt: number, outcome, status, errorCode: error, durationMs });
      if (outcome === 'accepted') return await recordAccepted(row, attempt);
      return await recordFailed(row, attempt, input);
    },

    async endDelivery({ deliveryId, status }: { deliveryId: string; status: 'cancelled' }): Promise<void> {
      const { id } = await load(deliveryId);
      await endFailedDelivery(pool, { id, status, reason: null });
      meter?.moved(status, 1);
      log.info('delivery.ended', { deliveryId, status });
    },
  };

  async function load(deliveryId: string): Promise<FailedAttemptRow> {
    const id = sequenceOf(idKey, 'delivery', deliveryId);
    const row = id === undefined ? undefined : await loadFailedAttempt(pool, id);
    if (!row) throw ApplicationFailure.nonRetryable(`Delivery ${deliveryId} not found`, failureTypes.deliveryNotFound);
    return row;
  }

  /** Returns undefined if an attempt must be made. */
  async function answerWithoutAttempt(
    row: FailedAttemptRow,
    input: AttemptDelivery,
  ): Promise<DeliveryAnswer | undefined> {
    const attemptsMade = row.attemptCount;
    if (row.status !== 'retrying') {
      await releaseHold(pool, row.id);
      if (attemptsMade >= input.attempt && (row.status === 'delivered' || row.status === 'exhausted')) {
        return { status: row.status, description: row.status, attemptsMade };
      }
      return { status: 'ended' };
    }
    if (isRecorded(row, input)) {
      return {
        status: 'retrying',
        description: 'already recorded',
        nextAttemptAtMs: row.nextAttemptAtMs!,
        attemptsMade,
      };
    }
    if (row.voidAs !== null) {
      const reason = row.voidAs === 'cancelled' ? null : row.voidAs;
      const status = reason === null ? 'cancelled' : 'skipped';
      await endFailedDelivery(pool, { id: row.id, status, reason });
      meter?.moved(status, 1);
      return { status: 'ended' };
    }
    return row.isCircuitOpen && !input.isRequested ? await waitForCircuit(row) : undefined;
  }

  /** The destination is not at fault, so no attempt is counted. */
  async function postpone(row: FailedAttemptRow): Promise<DeliveryAnswer> {
    await postponeUnreadable(pool, row.id);
    log.error('body.openFailed', { deliveryNumber: row.id, errorCode: BODY_UNREADABLE });
    const nextAttemptAtMs = Date.now() + UNREADABLE_WAIT_MS;
    return { status: 'waiting', attemptsMade: row.attemptCount, nextAttemptAtMs, description: BODY_UNREADABLE };
  }

  async function waitForCircuit(row: FailedAttemptRow): Promise<DeliveryAnswer> {
    if (row.scheduledAtMs + wholeScheduleMs(settings.scheduleMs) > Date.now()) return waiting(row.attemptCount);
    await endFailedDelivery(pool, { id: row.id, status: 'exhausted', reason: null });
    meter?.moved('exhausted', 1);
    return { status: 'exhausted', description: 'waited longer than the schedule', attemptsMade: row.attemptCount };
  }

  async function recordAccepted(row: FailedAttemptRow, attempt: Attempt): Promise<DeliveryAnswer> {
    const settled = { deliveryId: row.id, destinationId: row.destinationId, attempt };
    signalCircuits(await settleAccepted(pool, [settled]));
    await releaseHold(pool, row.id);
    meter?.moved('delivered', 1);
    meter?.delivered(attempt.startedAtMs + attempt.durationMs - row.scheduledAtMs);
    return { status: 'delivered', description: describeAttempt(attempt), attemptsMade: attempt.number };
  }

  async function recordFailed(
    row: FailedAttemptRow,
    attempt: Attempt,
    input: AttemptDelivery,
  ): Promise<DeliveryAnswer> {
    const { id, destinationId } = row;
    const nextAttemptAtMs = nextAttemptAtMsOf(attempt, input.retryDelayMs);
    const pause = pauseMs(attempt.status, retryAfterMs(attempt)) ?? null;
    const failure = { id, destinationId, attempt, kind: 'scheduled', nextAttemptAtMs, pauseMs: pause } as const;
    const recorded = await recordSingleFailure(pool, {
      ...failure,
      rules: { disableAfterMs: settings.failingDisableMs },
    });
    if (recorded.isTroubled) signalCircuits([destinationId]);
    if (!recorded.isMoved) {
      // If another run of this attempt changed the row, that run's answer applies.
      const moved = await loadFailedAttempt(pool, id);
      return (moved && (await answerWithoutAttempt(moved, input))) ?? waiting(moved?.attemptCount ?? attempt.number);
    }
    const attemptsMade = attempt.number;
    if (!recorded.isCounted) return waiting(attemptsMade);
    const description = describeAttempt(attempt);
    if (nextAttemptAtMs !== null) return { status: 'retrying', description, nextAttemptAtMs, attemptsMade };
    await releaseHold(pool, id);
    meter?.moved('exhausted', 1);
    return { status: 'exhausted', description, attemptsMade };
  }
}

function waiting(attemptsMade: number): DeliveryAnswer {
  return { status: 'waiting', attemptsMade, nextAttemptAtMs: Date.now() + CIRCUIT_CHECK_MS };
}

function isRecorded(row: FailedAttemptRow, { attempt, failedInSchedule }: AttemptDelivery): boolean {
  return failedInSchedule === undefined ? row.attemptCount >= attempt : row.failedInSchedule > failedInSchedule;
}

function nextAttemptAtMsOf(attempt: Attempt, delayMs: number | null): number | null {
  const endedAtMs = attempt.startedAtMs + attempt.durationMs;
  return delayMs === null ? null : endedAtMs + nextDelayMs(delayMs, retryAfterMs(attempt));
}
