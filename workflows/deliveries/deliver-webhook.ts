import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  DeliveryActivities,
  DeliveryAnswer,
  DeliveryCheck,
} from '../../activities/deliveries/delivery-activities.ts';
import type { CircuitWait, DeliverWebhookInput } from '../../contract/deliveries/workflow.ts';
import { retryDelayMs } from '../../contract/deliveries/retry-schedule.ts';
import { describeWait } from './describe-wait.ts';
import { activityQueue } from '../queues/activity-queue.ts';
import { circuitClosed, deliveryProgress, retryNow } from '../messages/deliveries.ts';
import { stateAttribute } from '../messages/state-attribute.ts';

const { attemptDelivery } = proxyActivities<DeliveryActivities>({
  taskQueue: activityQueue('receivers'),
  // An attempt takes at most 30 s, after at most 10 s for a connection.
  startToCloseTimeout: '60s',
  // Covers a lost worker or database. A failed attempt is a result.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { checkDelivery, endDelivery } = proxyActivities<DeliveryActivities>({
  // A few statements, retried until it commits, because nothing else would end the row.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface DeliverWebhookResult {
  readonly status: 'delivered' | 'exhausted' | 'ended' | 'cancelled';
  readonly attempts: number;
}

/**
 * Attempts a delivery on its retry schedule until the delivery ends. `retryNow` and `circuitClosed` start the next
 * attempt early. Cancelling the workflow cancels the delivery.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { deliveryId, scheduleMs } = input;
  let attempts = input.attemptsMade;
  let nextAttemptAtMs = input.nextAttemptAtMs;
  let failed = input.failedInSchedule;
  let lastAnswer: string | null = input.lastAnswer ?? null;
  let circuitWait: CircuitWait | null = input.circuitWait ?? null;
  let retryRequested = input.isRetryRequested ?? false;
  let circuitHasClosed = input.hasCircuitClosed ?? false;
  setHandler(retryNow, () => {
    retryRequested = true;
  });
  setHandler(circuitClosed, () => {
    circuitHasClosed = true;
  });
  setHandler(deliveryProgress, () => ({
    attemptsMade: attempts,
    lastAnswer,
    nextAttemptAt: new Date(nextAttemptAtMs).toISOString(),
  }));

  try {
    for (;;) {
      const answer = await checkAndAttempt(await waitForAttempt());
      if (answer.status === 'ended') return end('ended');
      attempts = answer.attemptsMade ?? attempts + 1;
      circuitWait = (answer.status === 'waiting' && answer.circuit) || null;
      lastAnswer = answer.description ?? circuitWait?.lastAnswer ?? 'waiting for the circuit of its destination';
      if (answer.status !== 'waiting') failed++;
      if (answer.status !== 'waiting' && answer.status !== 'retrying') return end(answer.status);
      nextAttemptAtMs = answer.nextAttemptAtMs;
      // Requests to retry would otherwise grow the history without limit.
      if (workflowInfo().continueAsNewSuggested && patched('continues-as-new')) await continueRun();
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => endDelivery({ deliveryId, status: 'cancelled' }));
    return end('cancelled');
  }

  /** Without the check, an attempt that finds the circuit open or the delivery ended would send nothing. */
  async function checkAndAttempt(isRequested: boolean): Promise<DeliveryAnswer> {
    if (!patched('checks-before-attempts')) return await makeAttempt(isRequested);
    const checked = await check(isRequested);
    return checked.status === 'due' ? await makeAttempt(isRequested) : checked;
  }

  async function check(isRequested: boolean): Promise<DeliveryCheck> {
    const summary = circuitWait
      ? `check the circuit of ${circuitWait.destination}`
      : `check before attempt ${attempts + 1}`;
    const attempt = { deliveryId, attempt: attempts + 1, failedInSchedule: failed, isRequested };
    return await checkDelivery.executeWithOptions({ summary }, [attempt]);
  }

  async function makeAttempt(isRequested: boolean): Promise<DeliveryAnswer> {
    // Drawn here, so that a repeated activity uses the same jitter.
    const delayMs = retryDelayMs(scheduleMs, failed + 1, Math.random());
    const attempt = { deliveryId, attempt: attempts + 1, failedInSchedule: failed, isRequested };
    return await attemptDelivery.executeWithOptions({ summary: `attempt ${attempts + 1}` }, [
      { ...attempt, retryDelayMs: delayMs ?? null },
    ]);
  }

  async function continueRun(): Promise<never> {
    await condition(allHandlersFinished);
    const counts = { attemptsMade: attempts, failedInSchedule: failed, nextAttemptAtMs, lastAnswer };
    const signals = { isRetryRequested: retryRequested, hasCircuitClosed: circuitHasClosed };
    return await continueAsNew<typeof deliverWebhook>({ ...input, ...counts, ...signals, circuitWait });
  }

  async function waitForAttempt(): Promise<boolean> {
    const { summary, details } = describeWait({ attempts, lastAnswer, nextAttemptAtMs, circuitWait });
    setCurrentDetails(details);
    await condition(() => retryRequested || circuitHasClosed, Math.max(nextAttemptAtMs - Date.now(), 1), { summary });
    const isRequested = retryRequested;
    retryRequested = circuitHasClosed = false; // signals during an attempt apply to the next wait
    return isRequested;
  }

  function end(status: DeliverWebhookResult['status']): DeliverWebhookResult {
    upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    setCurrentDetails(`Ended: ${status} after ${attempts} attempts.`);
    return { status, attempts };
  }
}
