import type { WorkflowHandle } from '@temporalio/client';
import type { DeliveryAnswer } from '../../activities/deliveries.ts';
import type { DeliverWebhookInput } from '../../contract/delivery-workflow.ts';
import { codeRefused, registrationEnded, retryNow } from '../../workflows/messages.ts';
import { eventually } from '../harness/eventually.ts';

/** A run to record: a workflow, what its activities answer, and what people do meanwhile. */
export interface Scenario {
  /** The workflow's type, and behind a dot which way it went. */
  readonly name: string;
  readonly workflowType: string;
  readonly args: readonly unknown[];
  readonly activities: Readonly<Record<string, () => Promise<unknown>>>;
  readonly act?: (handle: WorkflowHandle) => Promise<void>;
}

const LONG_MS = 86_400_000;

/** Answers in turn, the last one for ever. */
function inTurn<Answer>(...answers: readonly (() => Answer)[]): () => Promise<Answer> {
  let count = 0;
  return async () => (answers[count++] ?? answers.at(-1)!)();
}

const refused = (delayMs: number) => (): DeliveryAnswer => ({
  status: 'retrying',
  description: 'rejected (503)',
  nextAttemptAtMs: Date.now() + delayMs,
});

function delivery(others: Partial<DeliverWebhookInput> = {}): readonly [DeliverWebhookInput] {
  const counts = { attemptsMade: 1, failedInSchedule: 1 };
  return [
    { deliveryId: 'wd_00000001', ...counts, nextAttemptAtMs: Date.now() + 100, scheduleMs: [10, 10, 10], ...others },
  ];
}

/** Waits until so many activities have been completed. */
async function untilCompleted(handle: WorkflowHandle, count: number): Promise<void> {
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.activityTaskCompletedEventAttributes).length >= count;
  });
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'deliverWebhook',
    workflowType: 'deliverWebhook',
    args: delivery(),
    activities: {
      attemptDelivery: inTurn<DeliveryAnswer>(refused(100), refused(LONG_MS), () => ({
        status: 'delivered',
        description: 'accepted (200)',
      })),
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.signal(retryNow);
    },
  },
  {
    name: 'deliverWebhook.exhausted',
    workflowType: 'deliverWebhook',
    args: delivery({ scheduleMs: [10, 10] }),
    activities: {
      attemptDelivery: inTurn<DeliveryAnswer>(refused(10), () => ({
        status: 'exhausted',
        description: 'no_response (timeout)',
      })),
    },
  },
  {
    name: 'deliverWebhook.cancelled',
    workflowType: 'deliverWebhook',
    args: delivery(),
    activities: { attemptDelivery: inTurn(refused(LONG_MS)), endDelivery: inTurn(() => undefined) },
    act: async (handle) => {
      await untilCompleted(handle, 1);
      await handle.cancel();
    },
  },
  {
    name: 'saveWebhook',
    workflowType: 'saveWebhook',
    args: [{ candidateId: 7 }],
    activities: {
      probeVerifyToken: inTurn(() => 'passed'),
      probeEmptyPost: inTurn(() => 'passed'),
      commitCandidate: inTurn(() => 'committed'),
    },
  },
  {
    name: 'checkDestination',
    workflowType: 'checkDestination',
    args: [{ destinationId: 3 }],
    activities: { checkDestinationAddress: inTurn(() => 'allowed') },
  },
  {
    name: 'emailCode',
    workflowType: 'emailCode',
    args: [{ registrationId: 11, windowMs: LONG_MS }],
    activities: { sendCode: inTurn(() => 'sent') },
    act: async (handle) => {
      await untilCompleted(handle, 1);
      await handle.signal(codeRefused);
      await handle.signal(registrationEnded, 'completed');
    },
  },
  {
    name: 'emailCode.expired',
    workflowType: 'emailCode',
    args: [{ registrationId: 11, windowMs: 500 }],
    activities: { sendCode: inTurn(() => 'sent'), expireRegistration: inTurn(() => 'expired') },
  },
  {
    name: 'sendInvitation',
    workflowType: 'sendInvitation',
    args: [{ invitationId: 'inv_00000001' }],
    activities: { mailInvitation: inTurn(() => 'sent') },
  },
  {
    name: 'deliveryShard',
    workflowType: 'deliveryShard',
    args: [{ shard: 5 }],
    activities: {
      pumpDeliveries: inTurn(() => ({ destinationCount: 2, settledCount: 10, promotedCount: 1, heldCount: 0 })),
    },
  },
];
