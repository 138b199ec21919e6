import type { ListedDelivery } from '../filters/delivery-filters.ts';

export type ExportFormat = 'csv' | 'jsonl';

const columns: readonly (readonly [head: string, cell: (delivery: ListedDelivery) => string | number | null])[] = [
  ['deliveryId', ({ deliveryId }) => deliveryId],
  ['eventId', ({ eventId }) => eventId],
  ['receivedAt', ({ receivedAt }) => receivedAt],
  ['createdAt', ({ createdAt }) => createdAt],
  ['status', ({ status }) => status],
  ['eventType', ({ eventType }) => eventType],
  ['channelId', ({ channelId }) => channelId],
  ['channel', ({ channelName }) => channelName],
  [
    'destination',
    ({ destination }) => destination?.subscriptionId ?? destination?.listenerId ?? destination?.type ?? null,
  ],
  ['url', ({ lastAttempt }) => lastAttempt?.url ?? null],
  ['sender', ({ sender }) => sender],
  ['platformMessageId', ({ platformMessageId }) => platformMessageId],
  ['attempts', ({ attemptCount }) => attemptCount],
  ['httpStatus', ({ lastAttempt }) => lastAttempt?.status ?? null],
  ['durationMs', ({ lastAttempt }) => lastAttempt?.durationMs ?? null],
  ['error', ({ lastAttempt }) => lastAttempt?.error ?? null],
  ['preview', ({ preview }) => preview ?? null],
];

export function exportText(deliveries: readonly ListedDelivery[], format: ExportFormat): string {
  if (format === 'jsonl') return deliveries.map((one) => `${JSON.stringify(one)}\n`).join('');
  const lines = deliveries.map((delivery) => columns.map(([, cell]) => csvCell(cell(delivery))).join(','));
  return [columns.map(([head]) => head).join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

/** Spreadsheets run cells that begin with these characters. People write the texts and senders. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
