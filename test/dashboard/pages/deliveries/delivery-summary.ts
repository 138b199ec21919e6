import type { DeliverySummary } from '../../../../dashboard/pages/deliveries/delivery-filters.ts';

export function deliverySummary(deliveryId: string, changes: Partial<DeliverySummary> = {}): DeliverySummary {
  return {
    deliveryId,
    eventId: 'evt_12345678',
    channelId: 'ch_12345678',
    channelName: 'Support',
    eventType: 'chatapp.message.received',
    destination: { type: 'webhook', url: 'https://example.com/', label: null, subscriptionId: null, listenerId: null },
    status: 'delivered',
    sender: '15550001',
    platformMessageId: 'wamid.1',
    receivedAt: '2026-01-01T12:00:00.000Z',
    createdAt: '2026-01-01T12:00:00.000Z',
    nextAttemptAt: null,
    waitsForCircuit: null,
    skipReason: null,
    workflowId: null,
    attemptCount: 1,
    cancellation: null,
    replayOf: null,
    replayId: null,
    traceId: null,
    erasedAt: null,
    ...changes,
  };
}
