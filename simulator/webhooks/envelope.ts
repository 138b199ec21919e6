import type { ChannelType } from '../../contract/event-types.ts';
import type { JsonObject, WebhookItem } from './item.ts';

interface ObjectWords {
  readonly object: string;
  /** Chatapp only. */
  readonly messagingProduct?: string;
}

export const neutralWords: Readonly<Record<ChannelType, ObjectWords>> = {
  chatapp: { object: 'chatapp', messagingProduct: 'chatapp' },
  photoapp: { object: 'photoapp' },
  pageapp: { object: 'pageapp' },
};

export const upstreamWords: Readonly<Record<ChannelType, ObjectWords>> = {
  chatapp: { object: 'whatsapp_business_account', messagingProduct: 'whatsapp' },
  photoapp: { object: 'instagram' },
  pageapp: { object: 'page' },
};

export interface EnvelopeInput {
  /** At least one, all of one product. */
  readonly items: readonly WebhookItem[];
  /** Uses the upstream's product names. */
  readonly realWords?: boolean;
}

export interface Envelope {
  readonly object: string;
  readonly entry: readonly JsonObject[];
}

interface Entry {
  readonly id: string;
  readonly time?: number;
  messaging?: JsonObject[];
  changes?: JsonObject[];
  field?: string;
  value?: JsonObject;
}

/** Items of an account share an entry, except those that are entries. */
export function envelope({ items, realWords = false }: EnvelopeInput): Envelope {
  const product = items[0]?.product;
  if (product === undefined) throw new Error('An envelope holds at least one item');
  if (items.some((item) => item.product !== product)) throw new Error('An envelope holds items of one product only');

  const { object, messagingProduct } = (realWords ? upstreamWords : neutralWords)[product];
  const entries: Entry[] = [];
  for (const item of items) place(entries, item, messagingProduct);
  return { object, entry: entries.map((entry) => ({ ...entry })) };
}

function place(entries: Entry[], { entryId: id, entryTime: time, place: at }: WebhookItem, product?: string): void {
  const found = at.in === 'entry' ? undefined : entries.find((each) => each.id === id && each.field === undefined);
  const entry: Entry = found ?? { id, ...(time !== undefined && { time }) };
  if (!found) entries.push(entry);
  if (at.in === 'messaging') {
    (entry.messaging ??= []).push(at.item);
    return;
  }
  const { field, value: bare } = at;
  const value = product !== undefined && field === 'messages' ? { messaging_product: product, ...bare } : bare;
  if (at.in === 'entry') Object.assign(entry, { field, value });
  else (entry.changes ??= []).push({ field, value });
}

/** Escapes as the platform does before signing: `\uXXXX` in lower-case hex. */
export function escapeNonAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function encodeWebhook(webhook: Envelope): Buffer {
  return Buffer.from(escapeNonAscii(JSON.stringify(webhook)), 'latin1');
}
