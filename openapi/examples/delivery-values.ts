import type { Values } from './json-schema.ts';
import { examplePayload, receiverUrl } from './field-values.ts';

const destination = { type: 'webhook', url: receiverUrl, label: null, subscriptionId: null, listenerId: null };
const delivered = { destination, status: 'delivered', workflowId: null };
const attempt = {
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

/** Deliveries, replays, tests and alerts. */
export const deliveryValues: Readonly<Record<string, Values>> = {
  DeliverySummary: delivered,
  Delivery: { ...delivered, attempts: [attempt] },
  DeliveryAttempt: attempt,
  DeliveryDestination: destination,
  StaffDeliverySummary: delivered,
  StaffDelivery: { ...delivered, attempts: [attempt] },
  DeliveryReplayInput: { destination: 'sub_Hc5wXn9B' },
  StaffReplayInput: { destination: 'webhook' },
  SentRequest: { headers: signed },
  ListenerDelivery: { headers: { ...signed, 'x-service-delivery-id': 'wd_Zk9Wq3Lt' } },
  AcknowledgedDelivery: { status: 200, durationMs: 35 },
  DestinationTestInput: { eventType: 'chatapp.message.received' },
  DestinationTest: { attempt },
  TestEvent: { attempt, createdAt: '2026-01-31T08:00:00.000Z' },
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
    subject: { type: 'webhook', id: null, label: receiverUrl },
    title: 'Deliveries were given up',
    description: 'The receiver failed until the retry schedule ended. Repair it, then replay the deliveries.',
    acknowledgedBy: null,
  },
  AlertRule: { workspaceId: 'ws_4Tg7LmQ2', kinds: ['deliveries.exhausted', 'channel.disconnected'] },
  AlertWebhookInput: { url: 'https://hooks.northwind.example/alerts', minSeverity: 'critical' },
  AlertWebhook: {
    url: 'https://hooks.northwind.example/alerts',
    minSeverity: 'critical',
    createdAt: '2026-01-12T10:00:00.000Z',
    updatedAt: '2026-01-12T10:00:00.000Z',
  },
  SavedAlertWebhook: {
    url: 'https://hooks.northwind.example/alerts',
    minSeverity: 'critical',
    createdAt: '2026-01-12T10:00:00.000Z',
    updatedAt: '2026-01-12T10:00:00.000Z',
  },
  AlertWebhookSecretRotationInput: { overlapSeconds: 3600 },
  RotatedAlertWebhookSecret: { previousSecretExpiresAt: '2026-01-31T09:00:00.000Z' },
  AlertCall: { createdAt: '2026-01-31T08:00:05.000Z' },
  ErasureInput: { scope: { sender: '15550198' }, reason: 'Request by the person, ticket 118', dryRun: false },
  ErasureStarted: { erasureId: 'ers_h5KcX8nF' },
  Erasure: {
    reason: 'Request by the person, ticket 118',
    status: 'completed',
    step: 'workspaces',
    endedAt: '2026-01-31T08:06:00.000Z',
  },
  PersonExportInput: { reason: 'Request by the person, ticket 118' },
};
