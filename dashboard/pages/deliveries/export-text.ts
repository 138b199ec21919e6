import type { ListedDelivery } from './delivery-filters.ts';

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
  const lines = deliveries.map((delivery) => columns.map(([, cell]) => cell(delivery)));
  return [columns.map(([head]) => head), ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/**
 * Spreadsheets run cells that begin with these characters or their full-width forms. People write the texts and senders.
 * Some programs ignore spaces, quotes and invisible characters before them. A semicolon, a bar, a tab or a line break
 * begins a cell in a locale that does not separate by commas, even within quotes.
 */
const FORMULA = /(^|[;|\t\r\n])((?:[^\S\t\r\n]|\p{Cf}|["'])*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const BREAK = /^[\t\r\n]/;

/** Every cell is quoted, because the separator depends on the locale. */
function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return `"${value ?? ''}"`;
  const safe = value.replace(FORMULA, "$1'$2").replace(BREAK, "'$&");
  return `"${safe.replaceAll('"', '""')}"`;
}
