import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../activities/deliveries.ts';
import type { DeliverWebhookInput } from '../contract/delivery-workflow.ts';
import { retryDelayMs } from '../contract/retry-schedule.ts';
import { deliveryProgress, retryNow } from './messages.ts';
import { stateAttribute } from './search-attributes.ts';

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
 * out. A person may signal `retryNow`; cancelling this workflow cancels the delivery.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { deliveryId, scheduleMs } = input;
  let attempts = input.attemptsMade;
  let nextAttemptAtMs = input.nextAttemptAtMs;
  let lastAnswer: string | null = null;
  let retryRequested = false;
  setHandler(retryNow, () => {
    retryRequested = true;
  });
  setHandler(deliveryProgress, () => ({
    attemptsMade: attempts,
    lastAnswer,
    nextAttemptAt: new Date(nextAttemptAtMs).toISOString(),
  }));

  try {
    for (let failed = input.failedInSchedule; ; failed++) {
      const at = new Date(nextAttemptAtMs).toISOString();
      setCurrentDetails(
        `Attempt ${attempts + 1} at ${at}. ${attempts} made${lastAnswer ? `, last: ${lastAnswer}` : ''}.`,
      );
      await condition(() => retryRequested, Math.max(nextAttemptAtMs - Date.now(), 1), {
        summary: `attempt ${attempts + 1} at ${at}`,
      });
      retryRequested = false; // cleared after the wait: a request made during the attempt counts for the next wait

      // Drawn here and passed on, so that the row and this workflow agree on the time of the next attempt.
      const delayMs = retryDelayMs(scheduleMs, failed + 1, Math.random());
      const answer = await attemptDelivery.executeWithOptions({ summary: `attempt ${attempts + 1}` }, [
        { deliveryId, attempt: attempts + 1, retryDelayMs: delayMs ?? null },
      ]);
      if (answer.status === 'ended') return end('ended');
      attempts++;
      lastAnswer = answer.description;
      if (answer.status !== 'retrying') return end(answer.status);
      nextAttemptAtMs = answer.nextAttemptAtMs;
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => endDelivery({ deliveryId, status: 'cancelled' }));
    return end('cancelled');
  }

  function end(status: DeliverWebhookResult['status']): DeliverWebhookResult {
    upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    setCurrentDetails(`Ended: ${status} after ${attempts} attempts.`);
    return { status, attempts };
  }
}
