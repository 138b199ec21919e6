import type { Client } from '@temporalio/client';
import { deliveryWorkflowStart, type TroubledDelivery } from '../contract/deliveries/workflow.ts';
import { deliveryWorkflowId } from '../contract/ids.ts';
import type { deliverWebhook } from '../workflows/deliveries/deliver-webhook.ts';
import { retryNow } from '../workflows/messages/messages.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import { startAndAwait } from './start-and-await.ts';
import type { Started } from './workflow-starts.ts';

const CALL_DEADLINE_MS = 5_000;
/** Cancelling is an optimisation: a workflow that is not reached finds its row ended at its next attempt. */
const CANCEL_DEADLINE_MS = 2_000;
const CANCELS_AT_ONCE = 8;

/** Signals a troubled delivery to go now; starts its workflow where none runs, with the same options as everybody. */
export async function signalRetryNow(
  client: Client,
  { delivery, scheduleMs }: { delivery: TroubledDelivery; scheduleMs: readonly number[] },
): Promise<Started<'signalled'>> {
  const { workflowType, keywords, ...options } = deliveryWorkflowStart(delivery, scheduleMs);
  return await startAndAwait(
    () =>
      client.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
        client.workflow.signalWithStart<typeof deliverWebhook>(workflowType, {
          ...options,
          typedSearchAttributes: keywordAttributes(keywords),
          signal: retryNow,
        }),
      ),
    () => Promise.resolve('signalled' as const),
  );
}

/** Cancels the workflows of these deliveries, a few at a time; those that are gone or out of reach are passed over. */
export async function cancelDeliveryWorkflows(client: Client, deliveryIds: readonly string[]): Promise<void> {
  const rest = deliveryIds.values();
  const cancelSome = async (): Promise<void> => {
    for (const id of rest) {
      await client
        .withDeadline(Date.now() + CANCEL_DEADLINE_MS, () => client.workflow.getHandle(deliveryWorkflowId(id)).cancel())
        .catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: CANCELS_AT_ONCE }, cancelSome));
}
