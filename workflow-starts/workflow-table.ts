import { randomBytes } from 'node:crypto';
import { defaultRefreshWaitsMs } from '../contract/channels/credential-refresh.ts';
import { defaultPublishWaits } from '../contract/containers/poll.ts';
import { circuitNameOf } from '../contract/destinations/circuit.ts';
import {
  alertCallWorkflowId,
  alertDigestWorkflowId,
  channelHealthWorkflowId,
  channelTokenWorkflowId,
  connectionNoticeWorkflowId,
  containerWorkflowId,
  credentialWorkflowId,
  defaultWebhookSaveWorkflowId,
  deliveryShardWorkflowId,
  deliveryWorkflowId,
  destinationCheckWorkflowId,
  destinationCircuitWorkflowId,
  erasureWorkflowId,
  installationWorkflowId,
  invitationWorkflowId,
  registrationWorkflowId,
  replayWorkflowId,
  scheduledMessageWorkflowId,
  scheduleIds,
  testEventWorkflowId,
  webhookRolloutWorkflowId,
  webhookSaveWorkflowId,
} from '../contract/ids.ts';
import { HELD_ERASURE_MS } from '../contract/erasures/erasure.ts';
import { HELD_REPLAY_MS } from '../contract/replays/replay.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import type { WorkflowTable } from './start-row.ts';

/** Keeps a running workflow. Starts a new run after a closed one: the row decides whether anything is left to do. */
const joinRunning = { workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'USE_EXISTING' } as const;

const startOnce = { workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;

/**
 * The options of every workflow type. Names, ids, arguments, summaries and search attributes are stored in histories:
 * add rows, but never change stored values.
 */
export const workflowTable = {
  alertDigest: {
    kinds: ['start'],
    workflowId: ({ organizationId }) => alertDigestWorkflowId(organizationId),
    policy: joinRunning,
    args: (input) => [input],
    summary: ({ organizationId }) => `Alerts of ${organizationId}`,
    keywords: ({ organizationId }) => ({ [searchAttributes.organization]: organizationId }),
    executionTimeout: '60s',
  },
  callAlertWebhook: {
    kinds: ['start', 'execute'],
    workflowId: ({ callId }) => alertCallWorkflowId(callId),
    policy: joinRunning,
    args: ({ callId, isTest }) => [{ callId, ...(isTest && { isTest }) }],
    summary: ({ callId }) => `call ${callId}`,
    subjectId: ({ callId }) => callId,
    // An attempt of 10 s, a retry of the activity, and the wait for a free worker.
    resultDeadlineMs: 25_000,
    executionTimeout: '60s',
  },
  carryContainer: {
    kinds: ['start'],
    workflowId: ({ container }) => containerWorkflowId(container.containerId),
    policy: joinRunning,
    args: ({ container, pollScheduleMs, resumed }) => {
      const { containerId, childCount, autoPublish, expiresAtMs, status } = container;
      return [
        {
          ...{ containerId, childCount, autoPublish, expiresAtMs, status },
          ...{ pollScheduleMs, publishWaits: defaultPublishWaits, resumed },
        },
      ];
    },
    summary: ({ container }) => `${container.mediaType} of ${container.channelId}`,
    keywords: ({ container }) => ({ ...channelKeywords(container), [searchAttributes.state]: container.status }),
  },
  checkDestination: {
    kinds: ['execute'],
    // A URL may be checked any number of times, each time by a new workflow.
    workflowId: () => destinationCheckWorkflowId(randomBytes(12).toString('base64url')),
    policy: {},
    args: ({ destinationId }) => [{ destinationId }],
    summary: ({ channelId }) => `new destination of ${channelId}`,
    keywords: (check) => channelKeywords(check),
    // One DNS lookup, and the wait for a free worker.
    resultDeadlineMs: 20_000,
    executionTimeout: '60s',
  },
  checkHealth: {
    kinds: ['execute'],
    workflowId: ({ channelId }) => channelHealthWorkflowId(channelId),
    policy: joinRunning,
    args: ({ channelId }) => [{ channelId }],
    summary: ({ channelId }) => `health of ${channelId}`,
    keywords: (check) => channelKeywords(check),
    // Usually three calls, each of at most 10 s, and the wait for a free worker.
    resultDeadlineMs: 33_000,
    executionTimeout: '60s',
  },
  deliverWebhook: {
    kinds: ['start', 'signalWithStart'],
    workflowId: ({ delivery }) => deliveryWorkflowId(delivery.deliveryId),
    policy: joinRunning,
    args: ({ delivery, scheduleMs }) => {
      const { deliveryId, attemptsMade, failedInSchedule, nextAttemptAtMs } = delivery;
      return [{ deliveryId, attemptsMade, failedInSchedule, nextAttemptAtMs, scheduleMs }];
    },
    summary: ({ delivery }) => `${delivery.eventType} of ${delivery.channelId} to ${delivery.destination}`,
    keywords: ({ delivery }) => ({
      ...channelKeywords(delivery),
      [searchAttributes.destination]: delivery.destination,
      [searchAttributes.eventType]: delivery.eventType,
      [searchAttributes.state]: 'retrying',
    }),
  },
  deliveryShard: {
    kinds: ['start', 'signalWithStart'],
    workflowId: ({ shard }) => deliveryShardWorkflowId(shard),
    policy: joinRunning,
    args: ({ shard, holder }) => [{ shard, ...(holder && { holder }) }],
    summary: ({ shard }) => `Delivers the events of the destinations of shard ${shard}`,
  },
  destinationCircuit: {
    kinds: ['signalWithStart'],
    workflowId: ({ destination }) => destinationCircuitWorkflowId(circuitNameOf(destination)),
    policy: joinRunning,
    args: ({ destination: { destinationId, probeAtMs }, probeDelaysMs }) => [
      { destinationId, probeAtMs, probeDelaysMs },
    ],
    summary: ({ destination }) => `Circuit of ${destination.destination} of ${destination.channelId}`,
    keywords: ({ destination }) => ({
      ...channelKeywords(destination),
      [searchAttributes.destination]: destination.destination,
      [searchAttributes.state]: 'open',
    }),
  },
  emailCode: {
    kinds: ['start'],
    workflowId: ({ publicId }) => registrationWorkflowId(publicId),
    policy: startOnce,
    args: ({ id, windowMs }) => [{ registrationId: id, windowMs }],
    summary: ({ publicId }) => `code of ${publicId}`,
  },
  eraseData: {
    kinds: ['start'],
    workflowId: ({ erasureId }) => erasureWorkflowId(erasureId),
    policy: joinRunning,
    args: ({ erasureId }) => [{ erasureId, heldMs: HELD_ERASURE_MS }],
    summary: ({ erasureId }) => `erasure ${erasureId}`,
    subjectId: ({ erasureId }) => erasureId,
  },
  installation: {
    kinds: ['start'],
    workflowId: () => installationWorkflowId,
    // Only one installation may start it. After it was terminated, the next one may.
    policy: { workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'FAIL' },
    args: (owner) => [owner],
    summary: ({ installationId, baseUrl }) => `${installationId} at ${baseUrl}`,
  },
  invariants: {
    kinds: ['schedule'],
    scheduleId: scheduleIds.invariants,
    spec: { calendars: [{ hour: 4 }], jitter: '15 minutes' },
    args: [],
    summary: 'Checks that the ledger is true',
  },
  notifyConnection: {
    kinds: ['start'],
    workflowId: ({ noticeId }) => connectionNoticeWorkflowId(noticeId),
    policy: joinRunning,
    args: ({ noticeId }) => [{ noticeId }],
    summary: ({ noticeId }) => `notice ${noticeId}`,
    subjectId: ({ noticeId }) => noticeId,
    executionTimeout: '60s',
  },
  refreshCredential: {
    kinds: ['start'],
    workflowId: ({ credentialId }) => credentialWorkflowId(credentialId),
    policy: joinRunning,
    args: ({ credentialId }) => [{ credentialId, waitsMs: defaultRefreshWaitsMs }],
    summary: ({ credentialId }) => `refresh of ${credentialId}`,
    keywords: ({ workspaceId }) => ({ [searchAttributes.workspace]: workspaceId }),
  },
  refreshHealth: {
    kinds: ['schedule'],
    scheduleId: scheduleIds.refreshHealth,
    // How often due channels are looked for. When a channel is due is a setting.
    spec: { intervals: [{ every: '5 minutes' }], jitter: '1 minute' },
    args: [{}],
    summary: 'Asks the platform about connected accounts',
  },
  replayDeliveries: {
    kinds: ['signalWithStart'],
    workflowId: ({ replayId }) => replayWorkflowId(replayId),
    policy: joinRunning,
    args: ({ replayId }) => [{ replayId, heldMs: HELD_REPLAY_MS }],
    summary: ({ scope, destination, ratePerSecond }) =>
      `Replay of ${scope} to ${destination ?? 'the same destinations'}, at most ${ratePerSecond}/s`,
    keywords: ({ scope, workspaceId, channelId, destination }) => ({
      ...organizationKeyword(scope.replace(/^organization:/, '')),
      ...(workspaceId !== null && { [searchAttributes.workspace]: workspaceId }),
      ...(channelId !== null && { [searchAttributes.channel]: channelId }),
      ...(destination !== null && { [searchAttributes.destination]: destination }),
      [searchAttributes.state]: 'planning',
    }),
  },
  retention: {
    kinds: ['schedule'],
    scheduleId: scheduleIds.retention,
    spec: { intervals: [{ every: '1 hour' }], jitter: '5 minutes' },
    args: [{}],
    summary: 'Removes what is older than the installation keeps',
  },
  rollOutWebhook: {
    kinds: ['start'],
    workflowId: ({ rolloutId }) => webhookRolloutWorkflowId(rolloutId),
    policy: joinRunning,
    args: ({ rolloutId }) => [{ rolloutId }],
    summary: ({ rolloutId }) => `rollout ${rolloutId}`,
    subjectId: ({ rolloutId }) => rolloutId,
    keywords: ({ workspaceId }) => ({
      ...(workspaceId !== null && { [searchAttributes.workspace]: workspaceId }),
      [searchAttributes.state]: 'running',
    }),
  },
  rotateToken: {
    kinds: ['updateWithStart'],
    workflowId: ({ channelId }) => channelTokenWorkflowId(channelId),
    policy: joinRunning,
    args: ({ channelId }) => [{ channelId, overlapMs: null }],
    summary: ({ channelId }) => `token of ${channelId}`,
    keywords: (rotation) => channelKeywords(rotation),
    // The call returns after the worker has committed the rotation. It stays below the rotation's own deadline of 30 s.
    deadlineMs: 15_000,
  },
  saveDefaultWebhook: {
    kinds: ['execute'],
    workflowId: ({ ownerId, defaultWebhookId }) => defaultWebhookSaveWorkflowId(ownerId, defaultWebhookId),
    policy: startOnce,
    args: ({ defaultWebhookId }) => [{ defaultWebhookId }],
    summary: ({ ownerId }) => `default webhook of ${ownerId}`,
    keywords: ({ ownerId, workspaceId }) => ({
      ...organizationKeyword(ownerId),
      ...(workspaceId !== null && { [searchAttributes.workspace]: workspaceId }),
    }),
    // As for a channel's webhook.
    resultDeadlineMs: 33_000,
    executionTimeout: '60s',
  },
  saveWebhook: {
    kinds: ['execute'],
    workflowId: ({ channelId, candidateId }) => webhookSaveWorkflowId(channelId, candidateId),
    policy: startOnce,
    args: ({ candidateId }) => [{ candidateId }],
    summary: ({ channelId }) => `webhook of ${channelId}`,
    keywords: (save) => channelKeywords(save),
    // The candidate's own deadline is 30 s. By then the save has ended or can no longer commit.
    resultDeadlineMs: 33_000,
    executionTimeout: '60s',
  },
  sendInvitation: {
    kinds: ['start'],
    workflowId: ({ invitationId }) => invitationWorkflowId(invitationId),
    policy: startOnce,
    args: ({ invitationId }) => [{ invitationId }],
    summary: ({ invitationId }) => `mail of ${invitationId}`,
    subjectId: ({ invitationId }) => invitationId,
  },
  sendScheduledMessage: {
    kinds: ['start'],
    workflowId: ({ scheduledMessageId }) => scheduledMessageWorkflowId(scheduledMessageId),
    policy: joinRunning,
    args: ({ scheduledMessageId }) => [{ scheduledMessageId }],
    summary: ({ scheduledMessageId, channelId }) => `${scheduledMessageId} of ${channelId}`,
    keywords: (message) => channelKeywords(message),
    executionTimeout: '60s',
  },
  sendTestEvent: {
    kinds: ['execute'],
    workflowId: ({ channelId, testEventId }) => testEventWorkflowId(channelId, testEventId),
    policy: startOnce,
    args: ({ testEventId }) => [{ testEventId }],
    summary: ({ channelId, destination }) => `test event of ${channelId} to ${destination}`,
    keywords: (test) => ({ ...channelKeywords(test), [searchAttributes.destination]: test.destination }),
    // Longer than the activity with its retries, so that the caller's slot is not free before the worker's.
    resultDeadlineMs: 20_000,
    executionTimeout: '60s',
  },
} satisfies WorkflowTable;

/** Nothing for the id of a workspace, whose organization is looked up. */
function organizationKeyword(id: string): Readonly<Record<string, string>> {
  return id.startsWith('org_') ? { [searchAttributes.organization]: id } : {};
}

function channelKeywords({ workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string }) {
  return { [searchAttributes.workspace]: workspaceId, [searchAttributes.channel]: channelId };
}
