import { defaultRefreshWaitsMs } from '../../contract/channels/credential-refresh.ts';
import { defaultPublishWaits } from '../../contract/containers/poll.ts';
import type { StartedContainer } from '../../contract/containers/workflow.ts';
import type { FailedDelivery } from '../../contract/deliveries/workflow.ts';
import type { FailingDestination } from '../../contract/destinations/circuit.ts';
import type { Started } from '../../workflow-starts/start-and-await.ts';
import type { WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import type { StartedType } from '../../workflows/workflow-types.ts';

export const schedules = { retryScheduleMs: [1, 2], pollScheduleMs: [3], probeDelaysMs: [4] };
export const ids = { channelId: 'ch_00000001', workspaceId: 'ws_00000001' };
const ofWorkspace = { ServiceOrganizationId: 'org_00000001', ServiceWorkspaceId: 'ws_00000001' };
const ofChannel = { ...ofWorkspace, ServiceChannelId: 'ch_00000001' };
/** Of everything with a number of 1. */
export const organizationOf = (id: string): Promise<string | undefined> =>
  Promise.resolve(id.endsWith('_00000001') ? 'org_00000001' : undefined);

export const delivery: FailedDelivery = {
  ...ids,
  deliveryId: 'wd_00000001',
  destination: 'sub_00000001',
  eventType: 'chatapp.message.received',
  attemptsMade: 1,
  failedInSchedule: 1,
  nextAttemptAtMs: 5,
};
export const destination: FailingDestination = {
  ...ids,
  destinationId: 7,
  destination: 'webhook',
  isKept: false,
  probeAtMs: 6,
};
export const container: StartedContainer = {
  ...ids,
  containerId: 'ctr_00000001',
  mediaType: 'IMAGE',
  childCount: 0,
  autoPublish: false,
  expiresAtMs: 8,
  status: 'creating',
};
export const containerInput = {
  containerId: 'ctr_00000001',
  childCount: 0,
  autoPublish: false,
  expiresAtMs: 8,
  status: 'creating',
  pollScheduleMs: [3],
  publishWaits: defaultPublishWaits,
};
export const replay = {
  ...ids,
  replayId: 'rpl_00000001',
  scope: 'channel:ch_00000001',
  destination: null,
  ratePerSecond: 50,
};

/** Both the start and its request are wire format: histories and dashboards contain them. */
export interface Case {
  readonly start: (starts: WorkflowStarts) => Promise<Started<unknown>>;
  readonly workflowId: string | RegExp;
  readonly input: object;
  readonly summary: string;
  /**
   * The server's numbers: the policies for the id of a closed and of a running workflow. Optional. Default: a running one
   * is joined, and a closed one starts again.
   */
  readonly policies?: readonly [reuse: number | undefined, conflict: number | undefined];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
}

export const joinRunning = [1, 2] as const;
const startOnce = [3, undefined] as const;

/** At least one case for each workflow that is not started by a schedule. */
export const cases = {
  alertDigest: {
    start: (starts) => starts.alertDigest({ organizationId: 'org_00000001', intervalMs: 10 }),
    workflowId: 'alert-digest/org_00000001',
    input: { organizationId: 'org_00000001', intervalMs: 10 },
    summary: 'Alerts of org_00000001',
    attributes: { ServiceOrganizationId: 'org_00000001' },
    timeoutSeconds: 60,
  },
  sendNotification: {
    start: (starts) => starts.sendNotification({ notificationId: 'alc_00000001', isTest: true }),
    workflowId: 'notification/alc_00000001',
    input: { notificationId: 'alc_00000001', isTest: true },
    summary: 'notification alc_00000001',
    attributes: { ServiceOrganizationId: 'org_00000001' },
    timeoutSeconds: 60,
  },
  carryContainer: {
    start: (starts) => starts.createContainer(container),
    workflowId: 'container/ctr_00000001',
    input: { ...containerInput, resumed: false },
    summary: 'IMAGE of ch_00000001',
    attributes: { ...ofChannel, ServiceState: 'creating' },
  },
  carryScheduled: {
    start: (starts) => starts.carryScheduled({ ...ids, scheduledId: 'sm_00000001', dueAtMs: 1_800_000_000_000 }),
    workflowId: 'scheduled-message/sm_00000001',
    input: { scheduledId: 'sm_00000001', dueAtMs: 1_800_000_000_000 },
    summary: 'sm_00000001 of ch_00000001',
    attributes: ofChannel,
  },
  checkDestination: {
    start: (starts) => starts.checkDestination({ ...ids, destinationId: 2 }),
    workflowId: /^destination-check\/[\w-]{16}$/,
    input: { destinationId: 2 },
    summary: 'new destination of ch_00000001',
    policies: [undefined, undefined],
    attributes: ofChannel,
    timeoutSeconds: 60,
  },
  checkHealth: {
    start: (starts) => starts.checkHealth(ids),
    workflowId: 'channel-health-check/ch_00000001',
    input: { channelId: 'ch_00000001' },
    summary: 'health of ch_00000001',
    attributes: ofChannel,
    timeoutSeconds: 60,
  },
  deliverWebhook: {
    start: (starts) => starts.retryDelivery(delivery),
    workflowId: 'delivery/wd_00000001',
    input: { deliveryId: 'wd_00000001', attemptsMade: 1, failedInSchedule: 1, nextAttemptAtMs: 5, scheduleMs: [1, 2] },
    summary: 'chatapp.message.received of ch_00000001 to sub_00000001',
    attributes: {
      ...ofChannel,
      ServiceDestination: 'sub_00000001',
      ServiceEventType: 'chatapp.message.received',
      ServiceState: 'retrying',
    },
  },
  deliveryPump: {
    start: (starts) => starts.deliveryPump({ holder: 'host/1/a' }),
    workflowId: 'delivery-pump/host/1/a',
    input: { holder: 'host/1/a' },
    summary: 'Shows the pump of worker host/1/a',
  },
  destinationCircuit: {
    start: (starts) => starts.signalCircuit({ destination, as: 'moved' }),
    workflowId: 'destination/webhook-ch_00000001',
    input: { destinationId: 7, probeAtMs: 6, probeDelaysMs: [4] },
    summary: 'Circuit of webhook of ch_00000001',
    attributes: { ...ofChannel, ServiceDestination: 'webhook', ServiceState: 'open' },
  },
  installation: {
    start: (starts) => starts.installation({ installationId: 'ins_000000000001', baseUrl: 'https://a.example' }),
    workflowId: 'installation',
    input: { installationId: 'ins_000000000001', baseUrl: 'https://a.example' },
    summary: 'ins_000000000001 at https://a.example',
    policies: [1, 1],
  },
  emailCode: {
    start: (starts) => starts.emailCode({ id: 4, publicId: 'reg_00000001', windowMs: 9 }),
    workflowId: 'registration/reg_00000001',
    input: { registrationId: 4, windowMs: 9 },
    summary: 'code of reg_00000001',
    policies: startOnce,
  },
  eraseData: {
    start: (starts) => starts.eraseData({ erasureId: 'ers_00000001' }),
    workflowId: 'erasure/ers_00000001',
    input: { erasureId: 'ers_00000001', heldMs: 5_000 },
    summary: 'erasure ers_00000001',
    attributes: { ServiceOrganizationId: 'org_00000001' },
  },
  refreshCredential: {
    start: (starts) => starts.refreshCredential({ credentialId: 'cred_00000001', workspaceId: 'ws_00000001' }),
    workflowId: 'credential/cred_00000001',
    input: { credentialId: 'cred_00000001', waitsMs: defaultRefreshWaitsMs },
    summary: 'refresh of cred_00000001',
    attributes: ofWorkspace,
  },
  replayDeliveries: {
    start: (starts) => starts.signalReplay(replay),
    workflowId: 'replay/rpl_00000001',
    input: { replayId: 'rpl_00000001', heldMs: 15_000 },
    summary: 'Replay of channel:ch_00000001 to the same destinations, at most 50/s',
    attributes: { ...ofChannel, ServiceState: 'planning' },
  },
  rollOutWebhook: {
    start: (starts) => starts.rollOutWebhook({ rolloutId: 'dwr_00000001', workspaceId: 'ws_00000001' }),
    workflowId: 'webhook-rollout/dwr_00000001',
    input: { rolloutId: 'dwr_00000001' },
    summary: 'rollout dwr_00000001',
    attributes: { ...ofWorkspace, ServiceState: 'running' },
  },
  rotateToken: {
    start: (starts) => starts.rotateToken({ ...ids, rotationId: 5 }),
    workflowId: 'channel-token/ch_00000001',
    input: { channelId: 'ch_00000001', overlapMs: null },
    summary: 'token of ch_00000001',
    attributes: ofChannel,
  },
  saveDefaultWebhook: {
    start: (starts) =>
      starts.saveDefaultWebhook({ ownerId: 'ws_00000001', workspaceId: 'ws_00000001', defaultWebhookId: 6 }),
    workflowId: 'default-webhook-save/ws_00000001/6',
    input: { defaultWebhookId: 6 },
    summary: 'default webhook of ws_00000001',
    policies: startOnce,
    attributes: ofWorkspace,
    timeoutSeconds: 60,
  },
  saveWebhook: {
    start: (starts) => starts.saveWebhook({ ...ids, candidateId: 1 }),
    workflowId: 'webhook-save/ch_00000001/1',
    input: { candidateId: 1 },
    summary: 'webhook of ch_00000001',
    policies: startOnce,
    attributes: ofChannel,
    timeoutSeconds: 60,
  },
  sendInvitation: {
    start: (starts) => starts.sendInvitation({ invitationId: 'inv_00000001' }),
    workflowId: 'invitation/inv_00000001',
    input: { invitationId: 'inv_00000001' },
    summary: 'mail of inv_00000001',
    policies: startOnce,
    attributes: { ServiceOrganizationId: 'org_00000001' },
  },
  sendTestEvent: {
    start: (starts) => starts.sendTestEvent({ ...ids, destination: 'webhook', testEventId: 3 }),
    workflowId: 'test-event/ch_00000001/3',
    input: { testEventId: 3 },
    summary: 'test event of ch_00000001 to webhook',
    policies: startOnce,
    attributes: { ...ofChannel, ServiceDestination: 'webhook' },
    timeoutSeconds: 60,
  },
} satisfies Record<StartedType, Case>;
