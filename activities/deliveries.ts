import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../contract/failures.ts';
import { sequenceOf, type IdKey } from '../contract/ids.ts';
import { nextDelayMs } from '../contract/retry-schedule.ts';
import type { HotPool } from '../db/hot-pool.ts';
import { settleAccepted, type Attempt } from '../db/settle.ts';
import {
  endTroubled,
  loadTroubledAttempt,
  recordTroubledFailure,
  releaseHold,
  type TroubledAttemptRow,
} from '../db/troubled-attempts.ts';
import { retryAfterMs, type SendDelivery } from './attempt.ts';
import type { Log } from '../log.ts';

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

export interface AttemptDelivery {
  readonly deliveryId: string;
  /** The number that this attempt has in the log: makes a repeat of the activity recognisable. */
  readonly attempt: number;
  /** The wait after this attempt should it fail; null when the schedule has run out. */
  readonly retryDelayMs: number | null;
}

export type DeliveryAnswer =
  | { readonly status: 'delivered' | 'exhausted'; readonly description: string }
  | { readonly status: 'retrying'; readonly description: string; readonly nextAttemptAtMs: number }
  /** The row has left the schedule by another way, or must go no more. */
  | { readonly status: 'ended' };

export interface DeliveryActivityDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly sendDelivery: SendDelivery;
  readonly log: Log;
}

export function createDeliveryActivities({ pool, idKey, sendDelivery, log }: DeliveryActivityDeps) {
  return {
    /** Makes one scheduled attempt, unless it was made already or the delivery has ended meanwhile. */
    async attemptDelivery({ deliveryId, attempt: number, retryDelayMs }: AttemptDelivery): Promise<DeliveryAnswer> {
      const row = await load(deliveryId);
      const known = await answerWithoutAttempt(row, number);
      if (known) return known;

      const attempt = await sendDelivery(row, number);
      const { outcome, status, error, durationMs } = attempt;
      log.info('delivery.attempted', { deliveryId, attempt: number, outcome, status, errorCode: error, durationMs });
      if (outcome === 'accepted') return await recordAccepted(row, attempt);
      return await recordFailed(row, attempt, retryDelayMs);
    },

    /** Ends a delivery because its workflow was cancelled. */
    async endDelivery({ deliveryId, status }: { deliveryId: string; status: 'cancelled' }): Promise<void> {
      const { id } = await load(deliveryId);
      await endTroubled(pool, { id, status, reason: null });
      log.info('delivery.ended', { deliveryId, status });
    },
  };

  async function load(deliveryId: string): Promise<TroubledAttemptRow> {
    const id = sequenceOf(idKey, 'delivery', deliveryId);
    const row = id === undefined ? undefined : await loadTroubledAttempt(pool, id);
    if (!row) throw ApplicationFailure.nonRetryable(`No delivery ${deliveryId}`, failureTypes.deliveryNotFound);
    return row;
  }

  async function answerWithoutAttempt(row: TroubledAttemptRow, number: number): Promise<DeliveryAnswer | undefined> {
    if (row.status !== 'retrying') {
      await releaseHold(pool, row.id);
      if (row.attemptCount >= number && (row.status === 'delivered' || row.status === 'exhausted')) {
        return { status: row.status, description: row.status };
      }
      return { status: 'ended' };
    }
    if (row.attemptCount >= number) {
      return { status: 'retrying', description: 'recorded before', nextAttemptAtMs: row.nextAttemptAtMs! };
    }
    if (row.voidAs === null) return undefined;
    const reason = row.voidAs === 'cancelled' ? null : row.voidAs;
    await endTroubled(pool, { id: row.id, status: reason === null ? 'cancelled' : 'skipped', reason });
    return { status: 'ended' };
  }

  async function recordAccepted(row: TroubledAttemptRow, attempt: Attempt): Promise<DeliveryAnswer> {
    await settleAccepted(pool, [{ deliveryId: row.id, destinationId: row.destinationId, attempt }]);
    await releaseHold(pool, row.id);
    return { status: 'delivered', description: describe(attempt) };
  }

  async function recordFailed(
    row: TroubledAttemptRow,
    attempt: Attempt,
    delayMs: number | null,
  ): Promise<DeliveryAnswer> {
    const endedAtMs = attempt.startedAtMs + attempt.durationMs;
    const nextAttemptAtMs = delayMs === null ? null : endedAtMs + nextDelayMs(delayMs, retryAfterMs(attempt));
    if (!(await recordTroubledFailure(pool, { id: row.id, attempt, nextAttemptAtMs }))) {
      // Somebody moved the row meanwhile; where it was another run of this very attempt, its answer stands.
      const moved = await loadTroubledAttempt(pool, row.id);
      return (moved && (await answerWithoutAttempt(moved, attempt.number))) ?? { status: 'ended' };
    }
    if (nextAttemptAtMs !== null) return { status: 'retrying', description: describe(attempt), nextAttemptAtMs };
    await releaseHold(pool, row.id);
    return { status: 'exhausted', description: describe(attempt) };
  }
}

/** For the Temporal Web UI: the status or the error code, nothing that the receiver wrote. */
function describe({ outcome, status, error }: Attempt): string {
  return `${outcome} (${status ?? error})`;
}
