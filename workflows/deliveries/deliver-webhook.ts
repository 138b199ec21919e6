import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/deliveries/delivery-activities.ts';
import type { DeliverWebhookInput } from '../../contract/deliveries/workflow.ts';
import { retryDelayMs } from '../../contract/deliveries/retry-schedule.ts';
import { circuitClosed, deliveryProgress, retryNow } from '../messages/deliveries.ts';
import { stateAttribute } from '../messages/state-attribute.ts';

const { attemptDelivery } = proxyActivities<DeliveryActivities>({
  // One attempt has a 10 s deadline of its own; the rest is room for the ledger's two short transactions.
  startToCloseTimeout: '30s',
  // Covers a lost worker or database only, for as long as it takes: a refusal by the destination is returned, never thrown.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { endDelivery } = proxyActivities<DeliveryActivities>({
  // One conditional update; retried until the database takes it, because nobody else would end the row.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface DeliverWebhookResult {
  readonly status: 'delivered' | 'exhausted' | 'ended' | 'cancelled';
  readonly attempts: number;
}

/**
 * Carries a delivery whose first attempt failed through its retry schedule, until it is accepted or the schedule runs
 * out. While the circuit of its destination is open it waits to be told. A person may signal `retryNow`; cancelling this
 * workflow cancels the delivery.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { deliveryId, scheduleMs } = input;
  let attempts = input.attemptsMade;
  let nextAttemptAtMs = input.nextAttemptAtMs;
  let lastAnswer: string | null = null;
  let retryRequested = false;
  let mayGoOn = false;
  setHandler(retryNow, () => {
    retryRequested = true;
  });
  setHandler(circuitClosed, () => {
    mayGoOn = true;
  });
  setHandler(deliveryProgress, () => ({
    attemptsMade: attempts,
    lastAnswer,
    nextAttemptAt: new Date(nextAttemptAtMs).toISOString(),
  }));

  try {
    for (let failed = input.failedInSchedule; ;) {
      const isRequested = await untilAttempt();
      // Drawn here and passed on, so that the row and this workflow agree on the time of the next attempt.
      const delayMs = retryDelayMs(scheduleMs, failed + 1, Math.random());
      const attempt = { deliveryId, attempt: attempts + 1, failedInSchedule: failed, isRequested };
      const answer = await attemptDelivery.executeWithOptions({ summary: `attempt ${attempts + 1}` }, [
        { ...attempt, retryDelayMs: delayMs ?? null },
      ]);
      if (answer.status === 'ended') return end('ended');
      attempts = answer.attemptsMade ?? attempts + 1;
      lastAnswer = answer.description ?? 'waits for the circuit of its destination';
      if (answer.status !== 'waiting') failed++;
      if (answer.status !== 'waiting' && answer.status !== 'retrying') return end(answer.status);
      nextAttemptAtMs = answer.nextAttemptAtMs;
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => endDelivery({ deliveryId, status: 'cancelled' }));
    return end('cancelled');
  }

  /** Waits for the time of the next attempt, or for somebody to say so; resolves with whether a person did. */
  async function untilAttempt(): Promise<boolean> {
    const at = new Date(nextAttemptAtMs).toISOString();
    setCurrentDetails(
      `Attempt ${attempts + 1} at ${at}. ${attempts} made${lastAnswer ? `, last: ${lastAnswer}` : ''}.`,
    );
    await condition(() => retryRequested || mayGoOn, Math.max(nextAttemptAtMs - Date.now(), 1), {
      summary: `attempt ${attempts + 1} at ${at}`,
    });
    const isRequested = retryRequested;
    retryRequested = mayGoOn = false; // cleared after the wait: what is asked during an attempt counts for the next wait
    return isRequested;
  }

  function end(status: DeliverWebhookResult['status']): DeliverWebhookResult {
    upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    setCurrentDetails(`Ended: ${status} after ${attempts} attempts.`);
    return { status, attempts };
  }
}
