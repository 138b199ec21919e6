import type { ProbeAnswer } from '../../../activities/destinations/circuit-activities.ts';
import type { DeliveryAnswer, DeliveryCheck } from '../../../activities/deliveries/delivery-activities.ts';
import type { HealthPage } from '../../../contract/channels/health.ts';
import type { DestinationCircuitInput } from '../../../contract/destinations/circuit.ts';
import type { CircuitWait, DeliverWebhookInput } from '../../../contract/deliveries/workflow.ts';
import type { ScheduledStanding, ScheduledStatus } from '../../../contract/scheduled/scheduled.ts';
import type { ReplayDeliveriesInput, ReplayState, ReplayStatus } from '../../../contract/replays/replay.ts';
import type { RolloutPage, StagedSave } from '../../../contract/webhooks/rollout.ts';
import { circuitMoved, probeNow, circuitClosed, retryNow, codeRefused, registrationEnded, shardHeld, cancelReplay, pauseReplay, resumeReplay, scheduledMoved, rotateChannelToken } from '../../../workflows/messages/messages.ts';
import { containerScenarios } from './container-scenarios.ts';
import { noticeScenarios } from './notice-scenarios.ts';
import { erasureScenarios } from './erasure-scenarios.ts';
import { inTurn, LONG_MS, type Scenario, untilCompleted, untilDecided, untilScheduled } from './scenario.ts';

const due = inTurn<DeliveryCheck>(() => ({ status: 'due' }));

const refused = (delayMs: number) => (): DeliveryAnswer => ({
  status: 'retrying',
  description: 'rejected (503)',
  nextAttemptAtMs: Date.now() + delayMs,
});

/** The link is relative here, because histories name no machine. */
const circuitWait: CircuitWait = {
  destination: 'webhook',
  channelId: 'ch_00000001',
  circuitWorkflowId: 'destination/webhook-ch_00000001',
  lastAnswer: 'rejected (503)',
  probeAtMs: 1_800_000_000_000,
  dashboardUrl: '/app/org_00000001/ws_00000001/deliveries/wd_00000001',
};

const stillOpen = (delayMs: number, wasProbed = true) => (): ProbeAnswer => {
  const nextProbeAtMs = Date.now() + delayMs;
  return { status: 'open', wasProbed, description: 'rejected (503)', nextProbeAtMs };
};

function circuit(): readonly [DestinationCircuitInput] {
  return [{ destinationId: 3, probeAtMs: Date.now() + 100, probeDelaysMs: [10, 20] }];
}

function delivery(others: Partial<DeliverWebhookInput> = {}): readonly [DeliverWebhookInput] {
  const counts = { attemptsMade: 1, failedInSchedule: 1 };
  return [
    { deliveryId: 'wd_00000001', ...counts, nextAttemptAtMs: Date.now() + 100, scheduleMs: [10, 10, 10], ...others },
  ];
}

function replay(others: Pick<ReplayDeliveriesInput, 'heldMs'>): readonly [ReplayDeliveriesInput] {
  return [{ replayId: 'rpl_00000001', ...others }];
}

const standing =
  (status: ReplayStatus, sent: number, isHeld = false) =>
  (): ReplayState => ({ status, planned: 3, sent, isHeld });

const pumped = { destinationCount: 2, settledCount: 10, promotedCount: 1, heldCount: 0, isRetired: false };

/** The pause ends when the cancellation of the workflow has reached the row. */
function pauseAfterCancel(paused: () => ReplayState, cancelled: () => ReplayState): () => Promise<ReplayState> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  return async () => {
    if (count++ === 0) return promise.then(paused);
    resolve();
    return cancelled();
  };
}

const scheduledStanding =
  (status: ScheduledStatus, waitMs: number | null = null) =>
  (): ScheduledStanding => ({ status, waitMs });

export const scenarios: readonly Scenario[] = [
  {
    name: 'deliverWebhook',
    workflowType: 'deliverWebhook',
    args: delivery(),
    activities: {
      checkDelivery: due,
      attemptDelivery: inTurn<DeliveryAnswer>(refused(100), refused(LONG_MS), () => ({
        status: 'delivered',
        description: 'accepted (200)',
      })),
    },
    act: async (handle) => {
      await untilCompleted(handle, 4);
      await handle.signal(retryNow);
    },
  },
  {
    name: 'deliverWebhook.exhausted',
    workflowType: 'deliverWebhook',
    args: delivery({ scheduleMs: [10, 10] }),
    activities: {
      checkDelivery: due,
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
    activities: {
      checkDelivery: due,
      attemptDelivery: inTurn(refused(LONG_MS)),
      endDelivery: inTurn(() => undefined),
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.cancel();
    },
  },
  {
    name: 'deliverWebhook.continued',
    workflowType: 'deliverWebhook',
    args: delivery(),
    suggestedAfterEvents: 10,
    activities: { checkDelivery: due, attemptDelivery: inTurn(refused(100), refused(LONG_MS)) },
  },
  {
    name: 'deliverWebhook.waiting',
    workflowType: 'deliverWebhook',
    args: delivery(),
    activities: {
      checkDelivery: due,
      attemptDelivery: inTurn<DeliveryAnswer>(
        refused(100),
        () => ({ status: 'waiting', attemptsMade: 2, nextAttemptAtMs: Date.now() + LONG_MS }),
        () => ({ status: 'delivered', description: 'accepted (200)', attemptsMade: 5 }),
      ),
    },
    act: async (handle) => {
      await untilCompleted(handle, 4);
      await handle.signal(circuitClosed);
    },
  },
  {
    name: 'deliverWebhook.checked',
    workflowType: 'deliverWebhook',
    args: delivery(),
    activities: {
      checkDelivery: inTurn<DeliveryCheck>(
        () => ({ status: 'due' }),
        () => ({ status: 'waiting', attemptsMade: 2, nextAttemptAtMs: Date.now() + LONG_MS, circuit: circuitWait }),
        () => ({ status: 'due' }),
      ),
      attemptDelivery: inTurn<DeliveryAnswer>(refused(100), () => ({
        status: 'delivered',
        description: 'accepted (200)',
        attemptsMade: 3,
      })),
    },
    act: async (handle) => {
      await untilCompleted(handle, 3);
      await handle.signal(circuitClosed);
    },
  },
  {
    name: 'destinationCircuit',
    workflowType: 'destinationCircuit',
    args: circuit(),
    activities: {
      probeDestination: inTurn<ProbeAnswer>(
        stillOpen(100),
        stillOpen(LONG_MS),
        () => ({ status: 'closed', description: 'accepted (200)' }),
        stillOpen(LONG_MS, false),
        () => ({ status: 'ended', description: 'destination_disabled' }),
      ),
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.signal(probeNow);
      await untilCompleted(handle, 3);
      await handle.signal(circuitMoved, { destinationId: 4 });
      await untilCompleted(handle, 4);
      await handle.signal(circuitMoved, { destinationId: 4 });
    },
  },
  {
    name: 'destinationCircuit.cancelled',
    workflowType: 'destinationCircuit',
    args: circuit(),
    activities: {
      probeDestination: inTurn<ProbeAnswer>(stillOpen(LONG_MS)),
      closeCircuitByHand: inTurn<ProbeAnswer>(() => ({ status: 'closed', description: 'closed manually' })),
    },
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
    name: 'saveDefaultWebhook',
    workflowType: 'saveDefaultWebhook',
    args: [{ defaultWebhookId: 7 }],
    activities: {
      probeDefaultToken: inTurn(() => 'passed'),
      probeDefaultPost: inTurn(() => 'passed'),
      commitDefaultWebhook: inTurn(() => 'committed'),
    },
  },
  {
    name: 'rollOutWebhook',
    workflowType: 'rollOutWebhook',
    args: [{ rolloutId: 'dwr_00000001' }],
    activities: {
      planRolloutPage: inTurn<RolloutPage>(
        () => ({ channels: [3, 4], last: 4, isDone: false }),
        () => ({ channels: [], last: 4, isDone: true }),
      ),
      stageRolloutSave: inTurn<StagedSave | null>(
        () => ({ candidateId: 7, channelId: 'ch_00000001', workspaceId: 'ws_00000001' }),
        () => null,
      ),
      probeVerifyToken: inTurn(() => 'passed'),
      probeEmptyPost: inTurn(() => 'failed'),
      settleRolloutSave: inTurn(() => undefined),
      endRollout: inTurn(() => 'completed'),
    },
  },
  {
    name: 'checkHealth',
    workflowType: 'checkHealth',
    args: [{ channelId: 'ch_00000001' }],
    activities: { checkChannelHealth: inTurn(() => 'checked') },
  },
  {
    name: 'refreshHealth',
    workflowType: 'refreshHealth',
    args: [{}],
    activities: {
      checkDueHealth: inTurn<HealthPage>(
        () => ({ checkedCount: 10, failedCount: 1, isDone: false, waitMs: 200 }),
        () => ({ checkedCount: 2, failedCount: 0, isDone: true, waitMs: 100 }),
      ),
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
    name: 'carryScheduled',
    workflowType: 'carryScheduled',
    args: [{ scheduledId: 'sm_00000001', dueAtMs: Date.now() + LONG_MS }],
    activities: {
      readScheduled: inTurn(scheduledStanding('scheduled', 100)),
      sendDueMessage: inTurn(scheduledStanding('sending', 100), scheduledStanding('scheduled', 100), scheduledStanding('sent')),
    },
    act: async (handle) => {
      await untilDecided(handle, 1);
      await handle.signal(scheduledMoved, { dueAtMs: 1 });
    },
  },
  {
    name: 'carryScheduled.cancelled',
    workflowType: 'carryScheduled',
    args: [{ scheduledId: 'sm_00000001', dueAtMs: Date.now() + LONG_MS }],
    activities: { readScheduled: inTurn(scheduledStanding('cancelled')) },
    act: async (handle) => {
      await untilDecided(handle, 1);
      await handle.signal(scheduledMoved, { dueAtMs: null });
    },
  },
  {
    name: 'carryScheduled.post',
    workflowType: 'carryScheduled',
    args: [{ scheduledId: 'sp_00000001', dueAtMs: 0 }],
    activities: { startDuePost: inTurn(scheduledStanding('started', 100), scheduledStanding('started')) },
  },
  {
    name: 'carryScheduled.continued',
    workflowType: 'carryScheduled',
    args: [{ scheduledId: 'sm_00000001', dueAtMs: 0 }],
    suggestedAfterEvents: 10,
    activities: { sendDueMessage: inTurn(scheduledStanding('scheduled', 100)), readScheduled: inTurn(scheduledStanding('sent')) },
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
  ...noticeScenarios,
  ...containerScenarios,
  ...erasureScenarios,
  {
    name: 'sendTestEvent',
    workflowType: 'sendTestEvent',
    args: [{ testEventId: 5 }],
    activities: { attemptTestEvent: inTurn(() => 'accepted') },
  },
  {
    name: 'replayDeliveries',
    workflowType: 'replayDeliveries',
    args: replay({ heldMs: 100 }),
    activities: {
      readReplay: inTurn(standing('planning', 0), standing('completed', 3)),
      planReplay: inTurn(standing('running', 0)),
      sendReplay: inTurn(standing('running', 1), standing('running', 1, true), standing('completed', 3)),
    },
  },
  {
    name: 'replayDeliveries.paused',
    workflowType: 'replayDeliveries',
    args: replay({ heldMs: LONG_MS }),
    activities: {
      readReplay: inTurn(standing('planning', 0), standing('paused', 1), standing('cancelled', 1)),
      planReplay: inTurn(standing('running', 0)),
      sendReplay: inTurn(standing('running', 1, true)),
      moveReplay: inTurn(standing('paused', 1), standing('running', 1), standing('cancelled', 1)),
    },
    act: async (handle) => {
      await untilCompleted(handle, 3);
      await handle.signal(pauseReplay);
      await untilCompleted(handle, 5);
      await handle.signal(resumeReplay);
      await untilCompleted(handle, 7);
      await handle.signal(cancelReplay);
    },
  },
  {
    name: 'replayDeliveries.cancelled',
    workflowType: 'replayDeliveries',
    args: replay({ heldMs: LONG_MS }),
    activities: {
      readReplay: inTurn(standing('paused', 1), standing('cancelled', 1)),
      moveReplay: inTurn(standing('cancelled', 1)),
    },
    act: async (handle) => {
      await untilCompleted(handle, 1);
      await handle.cancel();
    },
  },
  {
    name: 'replayDeliveries.cancelledWhilePausing',
    workflowType: 'replayDeliveries',
    args: replay({ heldMs: LONG_MS }),
    activities: {
      readReplay: inTurn(standing('running', 1), standing('cancelled', 1)),
      sendReplay: inTurn(standing('running', 1, true)),
      moveReplay: pauseAfterCancel(standing('paused', 1), standing('cancelled', 1)),
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.signal(pauseReplay);
      await untilScheduled(handle, 3);
      await handle.cancel();
    },
  },
  {
    name: 'retention',
    workflowType: 'retention',
    args: [{}],
    activities: {
      removeOld: inTurn(
        () => ({ position: 500, removedCount: 400, isDone: false }),
        () => ({ position: 900, removedCount: 1, isDone: true }),
        () => ({ position: 64, removedCount: 0, isDone: true }),
      ),
    },
  },
  {
    name: 'invariants',
    workflowType: 'invariants',
    args: [],
    activities: { checkInvariants: inTurn(() => ({ violationCount: 1, eventCount: 10, deliveryCount: 12 })) },
  },
  {
    name: 'deliveryShard',
    workflowType: 'deliveryShard',
    args: [{ shard: 5 }],
    pumpsOf: ['a', 'b'],
    activities: {
      pumpDeliveries: inTurn(
        () => ({ ...pumped, isServing: false }),
        () => ({ ...pumped, isServing: true }),
      ),
    },
    act: async (handle) => {
      await handle.signal(shardHeld, { holder: 'a', fence: 1 });
      await untilCompleted(handle, 1);
      await handle.signal(shardHeld, { holder: 'b', fence: 2 });
    },
  },
  {
    name: 'deliveryShard.retired',
    workflowType: 'deliveryShard',
    args: [{ shard: 5, holder: { holder: 'a', fence: 1 } }],
    pumpsOf: ['a'],
    activities: { pumpDeliveries: inTurn(() => ({ ...pumped, isServing: false, isRetired: true })) },
  },
  {
    name: 'installation',
    workflowType: 'installation',
    args: [{ installationId: 'ins_000000000001', baseUrl: 'channels.example.com' }],
    activities: {},
    act: async (handle) => {
      await handle.cancel();
      await untilDecided(handle, 2);
      await handle.terminate();
    },
  },
];
