import type { ProbeAnswer } from '../../../activities/destinations/circuit-activities.ts';
import type { DeliveryAnswer, DeliveryCheck } from '../../../activities/deliveries/delivery-activities.ts';
import type { DestinationCircuitInput } from '../../../contract/destinations/circuit.ts';
import type { PumpReport } from '../../../contract/deliveries/pump-report.ts';
import type { CircuitWait, DeliverWebhookInput } from '../../../contract/deliveries/workflow.ts';
import type { ScheduledStanding, ScheduledStatus } from '../../../contract/scheduled/scheduled.ts';
import type { ReplayDeliveriesInput, ReplayState, ReplayStatus } from '../../../contract/replays/replay.ts';
import { circuitMoved, probeNow, circuitClosed, retryNow, codeRefused, registrationEnded, cancelReplay, pauseReplay, resumeReplay, scheduledMoved, rotateChannelToken } from '../../../workflows/messages/messages.ts';
import { containerScenarios } from './container-scenarios.ts';
import { noticeScenarios } from './notice-scenarios.ts';
import { erasureScenarios } from './erasure-scenarios.ts';
import { LONG_MS, type Scenarios, untilCompleted, untilDecided, untilScheduled } from './scenario.ts';

const due: readonly DeliveryCheck[] = [{ status: 'due' }];

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

const stillOpen =
  (delayMs: number, wasProbed = true) =>
  (): ProbeAnswer => {
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

const pumped: PumpReport = {
  isServing: true,
  shards: '0–127',
  destinationCount: 2,
  settledPerSecond: 10.5,
  promotedCount: 1,
  heldCount: 0,
  oldestWaitSeconds: 3,
  troubledCount: 1,
  troubled: [{ channelId: 'ch_00000001', destination: 'webhook' }],
};

function lostView(): never {
  throw new Error('The worker is gone');
}

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

export const scenarios: Scenarios = {
  deliverWebhook: {
    args: delivery(),
    activities: {
      checkDelivery: due,
      attemptDelivery: [
        refused(100),
        refused(LONG_MS),
        {
          status: 'delivered',
          description: 'accepted (200)',
        },
      ],
    },
    act: async (handle) => {
      await untilCompleted(handle, 4);
      await handle.signal(retryNow);
    },
  },
  'deliverWebhook.exhausted': {
    args: delivery({ scheduleMs: [10, 10] }),
    activities: {
      checkDelivery: due,
      attemptDelivery: [
        refused(10),
        {
          status: 'exhausted',
          description: 'no_response (timeout)',
        },
      ],
    },
  },
  'deliverWebhook.cancelled': {
    args: delivery(),
    activities: {
      checkDelivery: due,
      attemptDelivery: [refused(LONG_MS)],
      endDelivery: [undefined],
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.cancel();
    },
  },
  'deliverWebhook.continued': {
    args: delivery(),
    suggestedAfterEvents: 10,
    activities: { checkDelivery: due, attemptDelivery: [refused(100), refused(LONG_MS)] },
  },
  'deliverWebhook.waiting': {
    args: delivery(),
    activities: {
      checkDelivery: due,
      attemptDelivery: [
        refused(100),
        () => ({ status: 'waiting', attemptsMade: 2, nextAttemptAtMs: Date.now() + LONG_MS }),
        { status: 'delivered', description: 'accepted (200)', attemptsMade: 5 },
      ],
    },
    act: async (handle) => {
      await untilCompleted(handle, 4);
      await handle.signal(circuitClosed);
    },
  },
  'deliverWebhook.checked': {
    args: delivery(),
    activities: {
      checkDelivery: [
        { status: 'due' },
        () => ({ status: 'waiting', attemptsMade: 2, nextAttemptAtMs: Date.now() + LONG_MS, circuit: circuitWait }),
        { status: 'due' },
      ],
      attemptDelivery: [
        refused(100),
        {
          status: 'delivered',
          description: 'accepted (200)',
          attemptsMade: 3,
        },
      ],
    },
    act: async (handle) => {
      await untilCompleted(handle, 3);
      await handle.signal(circuitClosed);
    },
  },
  destinationCircuit: {
    args: circuit(),
    activities: {
      probeDestination: [
        stillOpen(100),
        stillOpen(LONG_MS),
        { status: 'closed', description: 'accepted (200)' },
        stillOpen(LONG_MS, false),
        { status: 'ended', description: 'destination_disabled' },
      ],
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
  'destinationCircuit.cancelled': {
    args: circuit(),
    activities: {
      probeDestination: [stillOpen(LONG_MS)],
      closeCircuitByHand: [{ status: 'closed', description: 'closed manually' }],
    },
    act: async (handle) => {
      await untilCompleted(handle, 1);
      await handle.cancel();
    },
  },
  saveWebhook: {
    args: [{ candidateId: 7 }],
    activities: {
      probeVerifyToken: ['passed'],
      probeEmptyPost: ['passed'],
      commitCandidate: ['committed'],
    },
  },
  saveDefaultWebhook: {
    args: [{ defaultWebhookId: 7 }],
    activities: {
      probeDefaultToken: ['passed'],
      probeDefaultPost: ['passed'],
      commitDefaultWebhook: ['committed'],
    },
  },
  rollOutWebhook: {
    args: [{ rolloutId: 'dwr_00000001' }],
    activities: {
      planRolloutPage: [
        { channels: [3, 4], last: 4, isDone: false },
        { channels: [], last: 4, isDone: true },
      ],
      stageRolloutSave: [{ candidateId: 7, channelId: 'ch_00000001', workspaceId: 'ws_00000001' }, null],
      probeVerifyToken: ['passed'],
      probeEmptyPost: ['failed'],
      settleRolloutSave: [undefined],
      endRollout: ['completed'],
    },
  },
  checkHealth: {
    args: [{ channelId: 'ch_00000001' }],
    activities: { checkChannelHealth: ['checked'] },
  },
  refreshHealth: {
    args: [{}],
    activities: {
      checkDueHealth: [
        { checkedCount: 10, failedCount: 1, isDone: false, waitMs: 200 },
        { checkedCount: 2, failedCount: 0, isDone: true, waitMs: 100 },
      ],
    },
  },
  checkDestination: {
    args: [{ destinationId: 3 }],
    activities: { checkDestinationAddress: ['allowed'] },
  },
  emailCode: {
    args: [{ registrationId: 11, windowMs: LONG_MS }],
    activities: { sendCode: ['sent'] },
    act: async (handle) => {
      await untilCompleted(handle, 1);
      await handle.signal(codeRefused);
      await handle.signal(registrationEnded, 'completed');
    },
  },
  'emailCode.expired': {
    args: [{ registrationId: 11, windowMs: 500 }],
    activities: { sendCode: ['sent'], expireRegistration: ['expired'] },
  },
  carryScheduled: {
    args: [{ scheduledId: 'sm_00000001', dueAtMs: Date.now() + LONG_MS }],
    activities: {
      readScheduled: [scheduledStanding('scheduled', 100)],
      sendDueMessage: [
        scheduledStanding('sending', 100),
        scheduledStanding('scheduled', 100),
        scheduledStanding('sent'),
      ],
    },
    act: async (handle) => {
      await untilDecided(handle, 1);
      await handle.signal(scheduledMoved, { dueAtMs: 1 });
    },
  },
  'carryScheduled.cancelled': {
    args: [{ scheduledId: 'sm_00000001', dueAtMs: Date.now() + LONG_MS }],
    activities: { readScheduled: [scheduledStanding('cancelled')] },
    act: async (handle) => {
      await untilDecided(handle, 1);
      await handle.signal(scheduledMoved, { dueAtMs: null });
    },
  },
  'carryScheduled.post': {
    args: [{ scheduledId: 'sp_00000001', dueAtMs: 0 }],
    activities: { startDuePost: [scheduledStanding('started', 100), scheduledStanding('started')] },
  },
  'carryScheduled.continued': {
    args: [{ scheduledId: 'sm_00000001', dueAtMs: 0 }],
    suggestedAfterEvents: 10,
    activities: { sendDueMessage: [scheduledStanding('scheduled', 100)], readScheduled: [scheduledStanding('sent')] },
  },
  sendInvitation: {
    args: [{ invitationId: 'inv_00000001' }],
    activities: { mailInvitation: ['sent'] },
  },
  rotateToken: {
    args: [{ channelId: 'ch_00000001', overlapMs: 500 }],
    activities: {
      mintToken: [
        { result: 'rotated', overlapMs: LONG_MS },
        { result: 'rotated', overlapMs: 1_000 },
      ],
      endTokenOverlap: [null],
    },
    act: async (handle) => {
      await handle.executeUpdate(rotateChannelToken, { args: [{ rotationId: 3 }] });
      await handle.executeUpdate(rotateChannelToken, { args: [{ rotationId: 4 }] });
    },
  },
  refreshCredential: {
    args: [{ credentialId: 'cred_00000001', waitsMs: [500] }],
    activities: {
      exchangeCredential: [{ outcome: 'unavailable' }, { outcome: 'refreshed' }],
    },
  },
  'refreshCredential.dead': {
    args: [{ credentialId: 'cred_00000001', waitsMs: [500] }],
    activities: {
      exchangeCredential: [
        { outcome: 'refused', code: 190, subcode: null },
        { outcome: 'dead', code: 190, subcode: 463 },
      ],
      disconnectChannels: [undefined],
    },
  },
  ...noticeScenarios,
  ...containerScenarios,
  ...erasureScenarios,
  sendTestEvent: {
    args: [{ testEventId: 5 }],
    activities: { attemptTestEvent: ['accepted'] },
  },
  replayDeliveries: {
    args: replay({ heldMs: 100 }),
    activities: {
      readReplay: [standing('planning', 0), standing('completed', 3)],
      planReplay: [standing('running', 0)],
      sendReplay: [standing('running', 1), standing('running', 1, true), standing('completed', 3)],
    },
  },
  'replayDeliveries.paused': {
    args: replay({ heldMs: LONG_MS }),
    activities: {
      readReplay: [standing('planning', 0), standing('paused', 1), standing('cancelled', 1)],
      planReplay: [standing('running', 0)],
      sendReplay: [standing('running', 1, true)],
      moveReplay: [standing('paused', 1), standing('running', 1), standing('cancelled', 1)],
    },
    act: async (handle) => {
      await untilCompleted(handle, 3);
      await handle.executeUpdate(pauseReplay);
      await untilCompleted(handle, 5);
      await handle.executeUpdate(resumeReplay);
      await untilCompleted(handle, 7);
      await handle.executeUpdate(cancelReplay);
    },
  },
  'replayDeliveries.cancelled': {
    args: replay({ heldMs: LONG_MS }),
    activities: {
      readReplay: [standing('paused', 1), standing('cancelled', 1)],
      moveReplay: [standing('cancelled', 1)],
    },
    act: async (handle) => {
      await untilCompleted(handle, 1);
      await handle.cancel();
    },
  },
  'replayDeliveries.cancelledWhilePausing': {
    args: replay({ heldMs: LONG_MS }),
    activities: {
      readReplay: [standing('running', 1), standing('cancelled', 1)],
      sendReplay: [standing('running', 1, true)],
      moveReplay: [pauseAfterCancel(standing('paused', 1), standing('cancelled', 1))],
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.startUpdate(pauseReplay, { waitForStage: 'ACCEPTED' });
      await untilScheduled(handle, 3);
      await handle.cancel();
    },
  },
  retention: {
    args: [{}],
    activities: {
      removeOld: [
        { position: 500, removedCount: 400, isDone: false },
        { position: 900, removedCount: 1, isDone: true },
        { position: 64, removedCount: 0, isDone: true },
      ],
    },
  },
  invariants: {
    args: [],
    activities: { checkInvariants: [{ violationCount: 1, eventCount: 10, deliveryCount: 12 }] },
  },
  deliveryPump: {
    args: [{ holder: 'a' }],
    pumpsOf: ['a'],
    activities: { watchPump: [pumped, lostView, pumped, { ...pumped, isServing: false }] },
  },
  installation: {
    args: [{ installationId: 'ins_000000000001', baseUrl: 'channels.example.com' }],
    activities: {},
    act: async (handle) => {
      await handle.cancel();
      await untilDecided(handle, 2);
      await handle.terminate();
    },
  },
};
