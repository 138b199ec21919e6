import { searchAttributes } from '../../contract/search-attributes.ts';
import { probeExpectations } from '../../contract/webhooks/probe.ts';
import { errorExample } from './error-example.ts';
import type { Values } from './json-schema.ts';
import { exampleOrigin, examplePayload, ordersUrl, receiverUrl, temporalUi } from './field-values.ts';

const subscription = {
  type: 'subscription',
  url: ordersUrl,
  label: 'Order desk',
  subscriptionId: 'sub_Hc5wXn9B',
};
const passed = { outcome: 'passed', status: 200, durationMs: 96, found: null, responseBody: null, error: null };
const ofChannel = `${searchAttributes.channel}="ch_8fKq2ZrW"`;
const workflowList = (query: string): string => `${temporalUi}?query=${encodeURIComponent(query)}`;
const gatewayAccess = { scopes: ['channel.read', 'messages.read'] };
const connecting = {
  workspaceId: 'ws_4Tg7LmQ2',
  externalId: 'customer-4711',
  successUrl: 'https://app.northwind.example/connected',
  failureUrl: 'https://app.northwind.example/not-connected',
  connectedNotificationUrl: 'https://hooks.northwind.example/connections',
  maxUses: 5,
};

/** Channels, their webhooks and health, onboarding links. */
const channelValues: Readonly<Record<string, Values>> = {
  Channel: {
    onboardingLinkId: 'ol_E8jTz5Qa',
    createdAt: '2026-01-12T09:41:00.000Z',
    updatedAt: '2026-01-12T09:50:00.000Z',
  },
  ChannelDelivery: { since: null },
  ChannelToken: gatewayAccess,
  RotatedToken: { ...gatewayAccess, previousTokenExpiresAt: '2026-01-31T09:00:00.000Z' },
  TokenRotationInput: { overlapSeconds: 3600 },
  ChannelMoveInput: { workspaceId: 'ws_R2mXe7Vk' },
  AccountHealth: {
    status: 'warning',
    reasons: [
      {
        code: 'quality_medium',
        severity: 'warning',
        message: 'The quality rating is medium. Recipients have blocked or reported messages.',
      },
    ],
    quality: 'medium',
    tier: '1k',
    throughput: 'standard',
    accountStatus: 'connected',
    nameStatus: 'approved',
    credentialExpiresAt: '2026-03-13T09:41:00.000Z',
    permissions: { granted: ['messaging', 'management'], missing: [] },
    subscription: { fields: [], missing: [] },
    lastFailure: null,
    username: null,
  },
  WebhookConfigInput: { verifyToken: 'sunrise-verify-2f9c' },
  WebhookConfig: { updatedAt: '2026-01-12T09:50:00.000Z' },
  WebhookVerification: {
    at: '2026-01-12T09:50:00.000Z',
    url: receiverUrl,
    ok: true,
    probes: [
      { ...passed, probe: 'GET', expected: probeExpectations.GET },
      { ...passed, probe: 'POST', expected: probeExpectations.POST },
    ],
  },
  WebhookHmacRotationInput: { overlapSeconds: 3600 },
  RotatedWebhookHmac: { previousSecretExpiresAt: '2026-01-31T09:00:00.000Z' },
  DefaultWebhook: { workspaceId: 'ws_4Tg7LmQ2' },
  WebhookRolloutInput: { dryRun: true, replaceOwn: false },
  WebhookRollout: {
    workspaceId: 'ws_4Tg7LmQ2',
    dryRun: false,
    replaceOwn: false,
    channelId: null,
    status: 'completed',
    total: 44,
    createdAt: '2026-01-31T08:00:00.000Z',
    workflowId: 'webhook-rollout/dwr_w4BjY6tM',
  },
  WebhookRolloutResult: {
    outcome: 'failed',
    reason: 'verification_failed',
    detail: errorExample('WEBHOOK_URL_VERIFICATION_FAILED').message,
    createdAt: '2026-01-31T08:00:04.000Z',
  },
  EventSubscriptionInput: { label: 'Order desk' },
  EventSubscriptionChange: {
    events: ['chatapp.message.received', 'chatapp.message.status'],
    url: ordersUrl,
    pending: 'follow',
  },
  EventSubscription: { url: ordersUrl, label: 'Order desk', createdAt: '2026-01-12T10:02:00.000Z' },
  ListenerInput: { label: "Maria's laptop", eventTypes: ['chatapp.message.received'] },
  Listener: {
    label: "Maria's laptop",
    eventTypes: ['chatapp.message.received'],
    createdAt: '2026-01-31T07:30:00.000Z',
    expiresAt: '2026-02-07T08:00:00.000Z',
  },
  OnboardingLinkInput: connecting,
  OnboardingLinkPatch: { label: 'Sunrise Bakery, second shop' },
  OnboardingLink: {
    ...connecting,
    url: `${exampleOrigin}/connect/ExampleOnboardingTokenExampleOnboardingToke`,
    displayName: 'Northwind Agency',
    createdAt: '2026-01-12T09:30:00.000Z',
    lastNotification: {
      channelId: 'ch_8fKq2ZrW',
      state: 'sent',
      attemptCount: 1,
      lastStatus: 200,
      connectedAt: '2026-01-12T09:41:00.000Z',
    },
  },
  DestinationHealth: {
    ...subscription,
    listenerId: null,
    isKept: false,
    sendsTraceParent: false,
    headers: ['x-api-version'],
    timeoutSeconds: 10,
    rate: { requestsPerSecond: 20, concurrency: 8 },
    debounce: { seconds: 10, maxEvents: 20 },
    circuit: { state: 'closed', reason: null, openedAt: null, nextProbeAt: null, temporalUrl: null },
    authentication: { type: 'basic', username: 'northwind' },
  },
  ChannelDestinationChange: {
    ordering: 'conversation',
    headers: { 'x-api-version': '2' },
    timeoutSeconds: 10,
    rate: { requestsPerSecond: 20, concurrency: 8 },
    retrySchedule: 'fast',
  },
  ChannelHealth: {
    temporalUrls: {
      troubled: workflowList(`${ofChannel} AND ExecutionStatus="Running"`),
      all: workflowList(ofChannel),
    },
  },
  'ChannelStatistics.destination': { ...subscription, isDeleted: false },
  TroubledDestination: {
    ...subscription,
    destination: subscription.subscriptionId,
    state: 'circuit_open',
    reason: 'failures',
  },
  OverviewFailure: { outcome: 'rejected', status: 500 },
  StatisticsBucket: { latencyMs: { p50: 180, p95: 420 }, at: '2026-01-30T08:00:00.000Z' },
  Invariants: {
    lastRun: {
      startedAt: '2026-01-31T03:00:00.000Z',
      endedAt: '2026-01-31T03:02:10.000Z',
      eventCount: 48_000,
      deliveryCount: 51_200,
    },
  },
  InvariantRule: { count: 0, samples: [], description: 'An event has no delivery.' },
  WorkerStatus: { holder: 'worker-1/1/5f3c', roles: ['pump', 'main'], isLive: true, seenSeconds: 0.6, shardCount: 128 },
  TaskQueueStatus: {
    queue: 'service',
    kind: 'workflow',
    waitingCount: 0,
    oldestSeconds: 0,
    pollerCount: 2,
    polledSeconds: 1.2,
  },
  InstallationStatus: {
    readAt: '2026-01-31T08:00:00.000Z',
    shards: { unservedCount: 0, unservedSeconds: 0 },
    backlog: {
      waiting: [
        { status: 'pending', count: 12 },
        { status: 'retrying', count: 3 },
      ],
      oldest: [{ status: 'pending', circuit: 'closed', seconds: 0.4 }],
      overdueSeconds: 0,
      circuits: [{ reason: 'failures', count: 1 }],
      notSettlingCount: 0,
      horizonSeconds: 0,
    },
    database: {
      seesOthers: true,
      connectionCount: 64,
      connectionLimit: 297,
      lockWaitCount: 0,
      oldestLockWaitSeconds: 0,
      oldestTransactionSeconds: 0.2,
      replicaLagSeconds: 0.2,
      slotRetainedBytes: 16_777_216,
      inactiveSlotCount: 0,
      databaseBytes: 2_400_000_000,
    },
  },
};

const destination = { type: 'webhook', url: receiverUrl, label: null, subscriptionId: null, listenerId: null };
const delivered = { destination, status: 'delivered', workflowId: null, temporalUrl: null };
export const attempt = {
  number: 1,
  url: receiverUrl,
  startedAt: '2026-01-31T08:00:00.300Z',
  durationMs: 212,
  outcome: 'accepted',
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: '{"ok":true}',
  error: null,
  batch: null,
};
const replay = {
  status: 'completed',
  statuses: ['exhausted', 'skipped'],
  originalDestinations: ['webhook'],
  httpStatuses: ['5xx', 'none'],
  sent: 42,
  delivered: 41,
  failed: 1,
  createdAt: '2026-01-31T09:00:00.000Z',
  startedAt: '2026-01-31T09:00:01.000Z',
  endedAt: '2026-01-31T09:00:06.000Z',
  workflowId: 'replay/rpl_sD9vG3bX',
};
const signed = {
  'content-type': 'application/json',
  'webhook-id': 'wd_Zk9Wq3Lt',
  'webhook-timestamp': '1769846400',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  'x-service-attempt': '1',
  'x-service-delivery-id': 'wd_Zk9Wq3Lt',
  'x-service-event-id': 'evt_b7Vd2NxS',
  'x-service-event-type': 'chatapp.message.received',
  'x-service-signature-256': 'sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c',
};

const alertWebhook = {
  url: 'https://hooks.northwind.example/alerts',
  minSeverity: 'critical',
  kinds: ['deliveries.exhausted', 'channel.disconnected'],
  createdAt: '2026-01-12T10:00:00.000Z',
  updatedAt: '2026-01-12T10:00:00.000Z',
};

/** Deliveries, replays, tests and alerts. */
const deliveryValues: Readonly<Record<string, Values>> = {
  DeliverySummary: delivered,
  DeliveryListItem: {
    ...delivered,
    status: 'retrying',
    attemptCount: 2,
    nextAttemptAt: '2026-01-31T08:02:30.000Z',
  },
  Delivery: { ...delivered, attempts: [attempt] },
  DeliveryAttempt: attempt,
  DeliveryDestination: destination,
  StaffDeliverySummary: delivered,
  StaffDelivery: { ...delivered, attempts: [attempt] },
  DeliveryReplayInput: { destination: 'sub_Hc5wXn9B' },
  StaffReplayInput: { destination: 'webhook' },
  SentRequest: { headers: signed, events: null },
  ListenerDelivery: { headers: { ...signed, 'x-service-delivery-id': 'wd_Zk9Wq3Lt' } },
  AcknowledgedDelivery: { status: 200, durationMs: 35 },
  DestinationTestInput: { eventType: 'chatapp.message.received' },
  DestinationTest: { attempt, subscriptionId: null },
  TestEvent: { attempt, subscriptionId: null, createdAt: '2026-01-31T08:00:00.000Z' },
  ReplayStarted: { replayId: 'rpl_sD9vG3bX' },
  Replay: replay,
  StaffReplay: replay,
  StaffBulkReplayInput: { statuses: ['exhausted', 'skipped'], reason: 'Receiver was down until noon' },
  StaffReplayMoveInput: { reason: 'Receiver was down until noon' },
  StaffRetryInput: { reason: 'Receiver was down until noon' },
  UnroutedEventList: {
    events: [
      {
        type: 'chatapp',
        resourceId: '106540352242922',
        receivedAt: '2026-01-31T08:00:00.120Z',
        sizeBytes: examplePayload.length,
        sentAt: null,
      },
    ],
  },
  UnroutedSent: { hasMore: false },
  Alert: {
    kind: 'deliveries.exhausted',
    severity: 'critical',
    workspaceId: 'ws_4Tg7LmQ2',
    channelId: 'ch_8fKq2ZrW',
    subject: { type: 'subscription', id: 'sub_Hc5wXn9B', label: 'Order desk' },
    title: 'Deliveries were given up',
    description: 'The receiver failed until the retry schedule ended. Repair it, then replay the deliveries.',
  },
  AlertRule: { workspaceId: 'ws_4Tg7LmQ2', kinds: alertWebhook.kinds },
  AlertWebhookInput: alertWebhook,
  AlertWebhook: alertWebhook,
  SavedAlertWebhook: { ...alertWebhook, lastDelivery: null },
  AlertWebhookSecretRotationInput: { overlapSeconds: 3600 },
  RotatedAlertWebhookSecret: { previousSecretExpiresAt: '2026-01-31T09:00:00.000Z' },
  AlertCall: { createdAt: '2026-01-31T08:00:05.000Z' },
  ErasureInput: { scope: { sender: '15550198' }, reason: 'Request by the person, ticket 118', dryRun: false },
  ErasureStarted: { erasureId: 'ers_h5KcX8nF' },
  Erasure: {
    eventId: null,
    workspaceId: null,
    channelId: null,
    reason: 'Request by the person, ticket 118',
    status: 'completed',
    step: 'workspaces',
    endedAt: '2026-01-31T08:06:00.000Z',
  },
  PersonExportInput: { reason: 'Request by the person, ticket 118' },
  'PersonExportLine.PersonExportLine': { workspaceId: null, channelId: null },
};

const agency = { name: 'Northwind Agency' };
const organizations = [{ organizationId: 'org_N0rthw1d', ...agency, role: 'admin' }];
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfbUFydDRMb3AifQ.c2lnbmF0dXJl';
const limits = {
  scopes: ['channel.read', 'deliveries.read'],
  workspaceIds: ['ws_4Tg7LmQ2'],
  allowedCidrs: ['203.0.113.0/24'],
};
const key = { name: 'Order desk', ...limits, createdAt: '2026-01-12T10:00:00.000Z' };
const customer = { createdAt: '2026-01-12T09:20:00.000Z' };
const agentScopes = { scopes: ['channel.read', 'deliveries.read', 'deliveries.replay'] };
const rights = ['channels.read', 'deliveries.read'];
const portalLink = {
  name: 'Support ticket 118',
  rights,
  channelIds: ['ch_8fKq2ZrW'],
  createdAt: '2026-01-31T07:50:00.000Z',
  expiresAt: '2026-01-31T08:50:00.000Z',
};

/** Organizations, people, keys and sessions. */
const organizationValues: Readonly<Record<string, Values>> = {
  Organization: { ...agency, createdAt: '2026-01-12T09:00:00.000Z' },
  OrganizationPatch: agency,
  WorkspaceInput: { externalId: 'customer-4711' },
  WorkspacePatch: { name: 'Sunrise Bakery & Café' },
  Workspace: customer,
  WholeWorkspace: { ...customer, role: 'admin' },
  Member: { role: 'admin', createdAt: '2026-01-12T09:00:00.000Z' },
  MemberRoleInput: { role: 'admin' },
  WorkspaceMember: { role: 'admin', createdAt: '2026-01-12T09:20:00.000Z' },
  WorkspaceMemberRoleInput: { role: 'developer' },
  InvitationInput: { email: 'tom@northwind.example', workspaceId: 'ws_4Tg7LmQ2', workspaceRole: 'developer' },
  Invitation: {
    email: 'tom@northwind.example',
    workspaceId: 'ws_4Tg7LmQ2',
    workspaceRole: 'developer',
    createdAt: '2026-01-31T08:00:00.000Z',
    expiresAt: '2026-02-07T08:00:00.000Z',
  },
  InvitationAcceptInput: { token: 'ExampleInvitationTokenExampleInvitationToke' },
  InvitationPreview: { organizationName: 'Northwind', inviterEmail: 'ann@northwind.example', isForCaller: true },
  InvitationAccepted: { workspaceId: 'ws_4Tg7LmQ2', workspaceRole: 'developer' },
  RevealedRotationInput: { overlapSeconds: 3600 },
  RevealedRotation: { endsAt: '2026-01-31T09:00:00.000Z' },
  MemberKeyRevocationInput: { keyIds: ['key_c2Hn7UfK'] },
  MemberKey: key,
  'AuditEntry.actor': { type: 'user', id: 'usr_mArt4Lop', name: 'maria@northwind.example' },
  AuditEntry: { reason: null },
  'StaffAuditEntry.actor': { type: 'staff', id: 'support', name: 'sue@example.com' },
  StaffAuditEntry: {
    action: 'delivery.retried',
    targetId: 'wd_Zk9Wq3Lt',
    targetName: null,
    reason: 'Receiver was down until noon',
  },
  UsageRow: { attempts: 131 },
  PortalLinkInput: { name: portalLink.name, rights, channelIds: portalLink.channelIds, expiresIn: 3600 },
  PortalLink: portalLink,
  CreatedPortalLink: {
    ...portalLink,
    useCount: 0,
    lastUsedAt: null,
    url: `${exampleOrigin}/portal#ptl_L9rG5vTc.ExamplePortalSecretExamplePortalSecretExamp`,
  },
  PortalSessionInput: { secret: 'ExamplePortalSecretExamplePortalSecretExamp' },
  PortalSession: { accessToken: jwt, rights, expiresAt: portalLink.expiresAt },
  'PortalSession.organization': agency,
  'PortalSession.branding': { displayName: agency.name, color: '#1d4ed8', textColor: '#ffffff' },
  BrandingInput: {
    displayName: agency.name,
    logoUrl: 'https://cdn.northwind.example/logo.png',
    color: '#1d4ed8',
    portalFrameAncestors: ['https://app.northwind.example'],
  },
  Branding: { displayName: agency.name, color: '#1d4ed8', textColor: '#ffffff' },
  SignIn: {
    expiresAt: '2026-01-31T08:10:00.000Z',
    message: 'We have sent a code by email, if the address can get one.',
  },
  AgentClaim: {
    expiresAt: '2026-01-31T08:10:00.000Z',
    message: 'We have sent a code by email, if the address can get one.',
  },
  AgentClaimInput: { ...agentScopes, organizationId: 'org_N0rthw1d' },
  AgentToken: agentScopes,
  AgentCredential: { ...agentScopes, createdAt: '2026-01-31T07:52:00.000Z' },
  EligibleScopes: { organizations: [{ organizationPublicId: 'org_N0rthw1d', role: 'admin', ...agentScopes }] },
  StartedSession: { organizations, createdOrganizationId: null, accessToken: jwt },
  RefreshedSession: { accessToken: jwt },
  CurrentSession: {
    organizations,
    credential: { kind: 'api_key', id: 'key_c2Hn7UfK', scopes: limits.scopes, workspaceIds: limits.workspaceIds },
  },
  ApiKeyInput: { name: key.name, ...limits },
  ApiKeyPatch: { name: 'Order desk, read only', scopes: ['deliveries.read'] },
  ApiKey: key,
  CreatedApiKey: { ...key, expiresAt: null },
  ProtectedResource: { scopes_supported: agentScopes.scopes },
};

const container = {
  mediaType: 'IMAGE',
  imageUrl: 'https://cdn.northwind.example/sourdough.jpg',
  caption: 'Fresh sourdough, every morning at seven.',
  altText: 'A loaf of sourdough on a wooden board',
};
const hello = { to: '15550198', text: 'Your order is ready. See you soon!' };

/** Messages, posts, comments and insights. */
const contentValues: Readonly<Record<string, Values>> = {
  MessageInput: hello,
  MessageReadInput: { to: '15550198' },
  TypingInput: { messageId: 'wamid.HBgLMTU1NTAxOTg' },
  ScheduledMessage: { preview: hello.text, message: hello, platformMessageId: null, endedAt: null },
  ScheduledRecord: { kind: 'message', id: 'sm_J2tV7mWq' },
  ScheduledByKey: { messageCount: 1, postCount: 0 },
  ScheduledCancellation: { kind: 'message', id: 'sm_J2tV7mWq' },
  ScheduledMessageChange: { sendAt: '2026-02-14T08:00:00.000Z' },
  ScheduledPost: { container, containerId: null, endedAt: null },
  ScheduledPostChange: { publishAt: '2026-02-14T08:00:00.000Z' },
  MediaContainerInput: container,
  MediaContainer: { status: 'published', expiresAt: '2026-02-01T08:00:00.000Z' },
  MediaContainerChild: { videoUrl: null, status: 'finished' },
  MediaContainerChildInput: { imageUrl: 'https://cdn.northwind.example/sourdough.jpg' },
  MediaUserTag: { x: 0.5, y: 0.4 },
  PhotoappReplyInput: { private: false },
  PageappReplyInput: { message: 'Yes, until noon. Shall I keep one for you?', private: false },
  PageappPostInput: {
    kind: 'link',
    message: 'Fresh sourdough, every morning at seven.',
    link: 'https://sunrise-bakery.example/',
  },
  PageappPublished: { kind: 'link', mediaId: null },
  PageappReelInput: { description: 'From flour to loaf in thirty seconds.' },
  PageappComment: { message: 'Do you have sourdough today?', isHidden: false },
  PageappPost: {
    id: '300000000000001_122100000000001',
    permalink: 'https://pageapp.example/sunrise/posts/122100000000001',
    type: 'link',
  },
  PageappPage: { category: 'Bakery' },
  PageappInsights: { targetId: '300000000000001', unavailable: ['page_fans_country'] },
  PhotoappInsights: {
    targetId: '17841405822304914',
    metrics: [
      {
        name: 'follower_demographics',
        period: 'lifetime',
        values: [{ value: 1840, endTime: null }],
        breakdown: [
          { dimensions: { age: '18-24' }, value: 1200 },
          { dimensions: { age: '25-34' }, value: 640 },
        ],
      },
    ],
    unavailable: ['reached_audience_demographics'],
  },
  InsightMetric: {
    name: 'reach',
    period: 'day',
    values: [{ value: 1840, endTime: '2026-01-31T08:00:00.000Z' }],
    breakdown: null,
  },
  PhotoappMedia: {
    id: '17895695668004550',
    mediaType: 'video',
    mediaUrl: 'https://cdn.northwind.example/sourdough.mp4',
    productType: 'REELS',
  },
  PhotoappComment: { text: 'Do you have sourdough today?', username: 'ana.torres', isHidden: false },
  PhotoappMention: {
    comment: {
      id: '17858893269000001',
      text: 'Try the sourdough of @sunrise.bakery!',
      fromId: '17841400000000123',
      username: 'ana.torres',
      createdAt: '2026-01-31T08:00:00.000Z',
      isHidden: false,
      parentId: null,
      likeCount: 3,
    },
  },
  PhotoappAccount: {
    biography: 'Bread, cake and coffee since 1987',
    quota: { used: 3, total: 50, durationSeconds: 86_400 },
  },
  CommentReply: { private: false, messageId: null },
  Conversation: { id: 't_100012345678901', unreadCount: 1, messages: null },
  ConversationMessage: { id: 'm_aGk6NTQzMjE', text: 'Do you have sourdough today?' },
  ChatappTemplate: {
    id: '594425479261596',
    name: 'order_ready',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your order {{1}} is ready.' }],
  },
  OutboundCall: { via: 'api', platformRequestId: 'AbC3dEfG1hI' },
};

/**
 * Values of single schemas, by field: optional fields that are worth showing, and values that belong together. The name
 * of an object within a schema is `Schema.field`.
 */
export const componentValues: Readonly<Record<string, Values>> = {
  ...channelValues,
  ...deliveryValues,
  ...contentValues,
  ...organizationValues,
};
