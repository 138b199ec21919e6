import type { DeliveryAnswer } from '../../activities/deliveries.ts';
import type { DeliverWebhookInput } from '../../contract/delivery-workflow.ts';
import { codeRefused, registrationEnded, retryNow, rotateChannelToken } from '../../workflows/messages.ts';
import { containerScenarios } from './container-scenarios.ts';
import { inTurn, LONG_MS, type Scenario, untilCompleted } from './scenario.ts';

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
    name: 'rotateToken',
    workflowType: 'rotateToken',
    args: [{ channelId: 'ch_00000001', overlapMs: 500 }],
    activities: {
      mintToken: inTurn(
        () => ({ result: 'rotated', overlapMs: LONG_MS }),
        () => ({ result: 'rotated', overlapMs: 1_000 }),
      ),
      endTokenOverlap: inTurn(() => null),
    },
    act: async (handle) => {
      await handle.executeUpdate(rotateChannelToken, { args: [{ rotationId: 3 }] });
      await handle.executeUpdate(rotateChannelToken, { args: [{ rotationId: 4 }] });
    },
  },
  {
    name: 'refreshCredential',
    workflowType: 'refreshCredential',
    args: [{ credentialId: 'cred_00000001', waitsMs: [500] }],
    activities: {
      exchangeCredential: inTurn(
        () => ({ outcome: 'unavailable' }),
        () => ({ outcome: 'refreshed' }),
      ),
    },
  },
  {
    name: 'refreshCredential.dead',
    workflowType: 'refreshCredential',
    args: [{ credentialId: 'cred_00000001', waitsMs: [500] }],
    activities: {
      exchangeCredential: inTurn<object>(
        () => ({ outcome: 'refused', code: 190, subcode: null }),
        () => ({ outcome: 'dead', code: 190, subcode: 463 }),
      ),
      disconnectChannels: inTurn(() => undefined),
    },
  },
  ...containerScenarios,
  {
    name: 'deliveryShard',
    workflowType: 'deliveryShard',
    args: [{ shard: 5 }],
    activities: {
      pumpDeliveries: inTurn(() => ({ destinationCount: 2, settledCount: 10, promotedCount: 1, heldCount: 0 })),
    },
  },
];
