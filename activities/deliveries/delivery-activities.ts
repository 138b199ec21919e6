import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../contract/failures.ts';
import { scheduleMsOf, staysInPump } from '../../contract/destinations/options.ts';
import { destinationCircuitWorkflowId, sequencedId, sequenceOf, type IdKey } from '../../contract/ids.ts';
import type { CircuitWait } from '../../contract/deliveries/workflow.ts';
import { wholeScheduleMs } from '../../contract/deliveries/retry-schedule.ts';
import { type AfterFailure, whatNext } from '../../contract/deliveries/what-next.ts';
import { BODY_UNREADABLE } from '../../db/core/body-box.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import { type CircuitWaitRow, readCircuitWait } from '../../db/ledger/destinations/circuits.ts';
import { settleOrMark } from '../../db/ledger/destinations/not-settling.ts';
import { recordAcceptedAttempt } from '../../db/ledger/destinations/record-accepted.ts';
import { settleAccepted } from '../../db/ledger/settle-accepted.ts';
import { settleFailed } from '../../db/ledger/settle-failed.ts';
import {
  endDelivery,
  giveToPump,
  loadDelivery,
  postponeUnreadable,
  releaseHold,
  type LoadedDelivery,
} from '../../db/ledger/load-delivery.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { attemptFields } from './observe-attempts.ts';
import { BUSY_WAIT_MS, receiverOwner, tryAgainLater } from './receiver-slots.ts';
import { describeAttempt, NotSent, retryAfterMs, type SendDelivery, undefinedIfUnreadable } from './send-delivery.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

export interface CheckDelivery {
  readonly deliveryId: string;
  readonly attempt: number;
  /** Identifies a repeat of the activity. */
  readonly failedInSchedule: number;
  /** Optional. A requested attempt is made even if the circuit is open. */
  readonly isRequested?: boolean;
}

export interface AttemptDelivery extends CheckDelivery {
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
  /** The schedule does not advance, because the circuit is open. */
  | {
      readonly status: 'waiting';
      readonly attemptsMade: number;
      readonly nextAttemptAtMs: number;
      /** Optional. Why the delivery waits, unless for its circuit. */
      readonly description?: string;
      /** Optional. Omitted if the circuit has closed meanwhile. */
      readonly circuit?: CircuitWait;
    }
  | { readonly status: 'ended' };

/** `due`: an attempt must be made. */
export type DeliveryCheck = DeliveryAnswer | { readonly status: 'due' };

export interface DeliveryActivityDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly sendDelivery: SendDelivery;
  /** Of the slots of the receivers queue. */
  readonly receiverShares: Shares;
  readonly signalCircuits: (destinationIds: readonly number[]) => void;
  readonly settings: { readonly scheduleMs: readonly number[]; readonly failingDisableMs: number };
  /** Of the dashboard, to which the details of a waiting delivery link. */
  readonly baseUrl: string;
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
}

/** A waiting delivery checks its circuit at this interval, in case the signal `circuitClosed` is lost. */
const CIRCUIT_CHECK_MS = 15 * 60_000;
/** A retry opens a circuit only with a requested pause, which then is the wait. */
const FIRST_PROBE_MS = 0;

export function createDeliveryActivities(deps: DeliveryActivityDeps) {
  const { pool, idKey, sendDelivery, receiverShares, signalCircuits, settings, baseUrl, meter, log } = deps;
  return {
    checkDelivery,

    async attemptDelivery(input: AttemptDelivery): Promise<DeliveryAnswer> {
      const { deliveryId } = input;
      const row = await load(deliveryId);
      const skipped = await answerWithoutAttempt(row, input);
      if (skipped) return skipped;

      const giveBack = receiverShares.tryTake(receiverOwner(row));
      if (!giveBack) return waitForTurn(row);
      try {
        return await makeAttempt(row, input);
      } catch (error) {
        if (error instanceof NotSent) return waitForTurn(row);
        throw error;
      } finally {
        giveBack();
      }
    },

    async endDelivery({ deliveryId, status }: { deliveryId: string; status: 'cancelled' }): Promise<void> {
      const { id } = await load(deliveryId);
      await endDelivery(pool, { id, end: 'cancel', reason: null });
      meter?.moved(status, 1);
      log.info('delivery.ended', { deliveryId, status });
    },
  };

  async function makeAttempt(row: LoadedDelivery, input: AttemptDelivery): Promise<DeliveryAnswer> {
    const { deliveryId } = input;
    const number = row.attemptCount + 1;
    const attempt = await sendDelivery({ ...row, maxWaitMs: 0 }, number).catch(undefinedIfUnreadable);
    if (!attempt) return await postpone(row);
    log.info('delivery.attempted', attemptFields(attempt, { deliveryId, traceParent: row.traceParent }));
    if (attempt.outcome === 'accepted') return await recordAccepted(row, attempt);
    return await recordFailed(row, attempt, input);
  }

  function waitForTurn({ attemptCount: attemptsMade }: LoadedDelivery): DeliveryAnswer {
    tryAgainLater();
    const description = 'waiting for other attempts of the organization';
    return { status: 'waiting', attemptsMade, nextAttemptAtMs: Date.now() + BUSY_WAIT_MS, description };
  }

  /** Comes before an attempt, so that each activity that is named an attempt sends a request. */
  async function checkDelivery(input: CheckDelivery): Promise<DeliveryCheck> {
    return (await answerWithoutAttempt(await load(input.deliveryId), input)) ?? { status: 'due' };
  }

  async function load(deliveryId: string): Promise<LoadedDelivery> {
    const id = sequenceOf(idKey, 'delivery', deliveryId);
    const row = id === undefined ? undefined : await loadDelivery(pool, id);
    if (!row) throw ApplicationFailure.nonRetryable(`Delivery ${deliveryId} not found`, failureTypes.deliveryNotFound);
    return row;
  }

  /** Returns undefined if an attempt must be made. */
  async function answerWithoutAttempt(row: LoadedDelivery, input: CheckDelivery): Promise<DeliveryAnswer | undefined> {
    const attemptsMade = row.attemptCount;
    if (row.status !== 'retrying') {
      await releaseHold(pool, row.id);
      if (attemptsMade >= input.attempt && (row.status === 'delivered' || row.status === 'exhausted')) {
        return { status: row.status, description: row.status, attemptsMade };
      }
      return { status: 'ended' };
    }
    // The workflow is from before the delivery was restarted or returned to the pump.
    if (row.pumpRetries) return { status: 'ended' };
    if (row.failedInSchedule > input.failedInSchedule) {
      return {
        status: 'retrying',
        description: 'already recorded',
        nextAttemptAtMs: row.nextAttemptAtMs!,
        attemptsMade,
      };
    }
    if (row.voidAs !== null) {
      const reason = row.voidAs === 'cancelled' ? null : row.voidAs;
      await endDelivery(pool, { id: row.id, end: reason === null ? 'cancel' : 'skip', reason });
      meter?.moved(reason === null ? 'cancelled' : 'skipped', 1);
      return { status: 'ended' };
    }
    if (input.isRequested) return undefined;
    if (staysInPump(row.options)) return await leaveToPump(row);
    return row.isCircuitOpen ? await waitForCircuit(row) : undefined;
  }

  /** The destination is not at fault, so no attempt is counted. The pump tries again. */
  async function postpone(row: LoadedDelivery): Promise<DeliveryAnswer> {
    await postponeUnreadable(pool, row.id);
    log.error('body.openFailed', { deliveryNumber: row.id, errorCode: BODY_UNREADABLE });
    return { status: 'ended' };
  }

  /** The destination has got a rate or is debounced since the workflow started. */
  async function leaveToPump(row: LoadedDelivery): Promise<DeliveryAnswer> {
    await giveToPump(pool, row.id);
    return { status: 'ended' };
  }

  async function waitForCircuit(row: LoadedDelivery): Promise<DeliveryAnswer> {
    const scheduleMs = scheduleMsOf(row.options, settings.scheduleMs);
    if (row.scheduledAtMs + wholeScheduleMs(scheduleMs) > Date.now()) return await waiting(row.id, row.attemptCount);
    await endDelivery(pool, { id: row.id, end: 'exhaust', reason: null });
    meter?.moved('exhausted', 1);
    return { status: 'exhausted', description: 'waited longer than the schedule', attemptsMade: row.attemptCount };
  }

  async function waiting(deliveryNumber: number, attemptsMade: number): Promise<DeliveryAnswer> {
    const wait = await readCircuitWait(pool, deliveryNumber);
    const deliveryId = sequencedId(idKey, 'delivery', deliveryNumber);
    const circuit = wait && presentWait(wait, `${baseUrl}/app/${wait.organizationId}/${wait.workspaceId}/deliveries/${deliveryId}`); // prettier-ignore
    return {
      status: 'waiting',
      attemptsMade,
      nextAttemptAtMs: Date.now() + CIRCUIT_CHECK_MS,
      ...(circuit && { circuit }),
    };
  }

  async function recordAccepted(row: LoadedDelivery, attempt: Attempt): Promise<DeliveryAnswer> {
    const settled = { deliveryId: row.id, destinationId: row.destinationId, attempt };
    await settleOrMark(pool, row.destinationId, () => settleAccepted(pool, [settled]));
    // The delivery has ended. Its attempt must not be repeated for what it means to its destination.
    const hasClosed = await recordAcceptedAttempt(pool, settled).catch((error: unknown) => {
      log.error('health.recordFailed', { error, count: 1, destinationNumber: row.destinationId });
      return false;
    });
    if (hasClosed) signalCircuits([row.destinationId]);
    meter?.moved('delivered', 1);
    meter?.delivered(attempt.startedAtMs + attempt.durationMs - row.scheduledAtMs);
    return { status: 'delivered', description: describeAttempt(attempt), attemptsMade: attempt.number };
  }

  async function recordFailed(row: LoadedDelivery, attempt: Attempt, input: AttemptDelivery): Promise<DeliveryAnswer> {
    const { id, destinationId } = row;
    const after = afterFailure(row, attempt, input);
    const failed = [{ deliveryId: id, destinationId, attempt, kind: 'scheduled' as const, after }];
    const rules = { firstProbeMs: FIRST_PROBE_MS, disableAfterMs: settings.failingDisableMs };
    const settled = await settleOrMark(pool, destinationId, () => settleFailed(pool, { failed, rules }));
    signalCircuits(settled.failingDestinationIds);
    const attemptsMade = attempt.number;
    if (settled.waitingIds.has(id)) return await waiting(id, attemptsMade);
    if (!settled.movedIds.has(id)) {
      // If another run of this attempt changed the row, that run's answer applies.
      const moved = await loadDelivery(pool, id);
      return (
        (moved && (await answerWithoutAttempt(moved, input))) ??
        (await waiting(id, moved?.attemptCount ?? attempt.number))
      );
    }
    const description = describeAttempt(attempt);
    if (after.next === 'retry') {
      return { status: 'retrying', description, nextAttemptAtMs: after.nextAttemptAtMs, attemptsMade };
    }
    meter?.moved('exhausted', 1);
    return { status: 'exhausted', description, attemptsMade };
  }
}

function presentWait(
  { circuitName, destination, channelId, probeAtMs, lastAttempt }: CircuitWaitRow,
  dashboardUrl: string,
): CircuitWait {
  const lastAnswer = lastAttempt && describeAttempt(lastAttempt);
  const circuitWorkflowId = destinationCircuitWorkflowId(circuitName);
  return { destination, channelId, circuitWorkflowId, lastAnswer, probeAtMs, dashboardUrl };
}

function afterFailure(
  { failedInSchedule }: LoadedDelivery,
  attempt: Attempt,
  { retryDelayMs }: AttemptDelivery,
): AfterFailure {
  const { number, status, startedAtMs, durationMs } = attempt;
  const times = { endedAtMs: startedAtMs + durationMs, retryAfterMs: retryAfterMs(attempt), delayMs: retryDelayMs };
  return whatNext({ kind: 'scheduled', number, failedInSchedule, status, ...times });
}
