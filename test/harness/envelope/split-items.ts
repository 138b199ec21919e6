import { toAcceptItems } from '../../../api/ingest/platform-events.ts';
import { splitEnvelope } from '../../../api/ingest/split-envelope.ts';
import type { EnvelopeItem } from '../../../api/ingest/split-envelope.ts';
import { platformVocabulary } from '../../../platform/webhooks/envelope-vocabulary.ts';

/** Accepts raw JSON text or a value. Throws if the envelope is malformed. */
export function itemsOf(envelope: unknown): EnvelopeItem[] {
  const bytes = Buffer.from(typeof envelope === 'string' ? envelope : JSON.stringify(envelope));
  const items = splitEnvelope(bytes, platformVocabulary);
  if ('malformed' in items) throw new Error(items.malformed);
  return items;
}

/** The keys that decide which items are duplicates. */
export const keysOf = (envelope: unknown): string[] => toAcceptItems(itemsOf(envelope)).map(({ key }) => key);

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
export const bodiesOf = (items: readonly EnvelopeItem[]): string[] => items.map(({ body }) => textOf(body));

export const chatChange = (phone: string, members: object): object => ({
  field: 'messages',
  value: { messaging_product: 'chatapp', metadata: { phone_number_id: phone }, ...members },
});
export const chatEnvelope = (...changes: object[]): object => ({
  object: 'chatapp',
  entry: [{ id: 'account', changes }],
});
