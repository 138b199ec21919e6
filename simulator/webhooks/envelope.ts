import type { JsonObject, WebhookItem } from './item.ts';
import { neutralWords, upstreamWords, type ObjectWords } from './object-words.ts';

/**
 * How items of a batch share entries: none, one entry per account, or also one value per chatapp number. The platform
 * sends all three.
 */
export type EnvelopeMerge = 'none' | 'entries' | 'values';

export interface EnvelopeInput {
  /** At least one, all of one product. */
  readonly items: readonly WebhookItem[];
  readonly merge?: EnvelopeMerge;
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
  standby?: JsonObject[];
  changes?: Change[];
  field?: string;
  value?: JsonObject;
}

interface Change {
  readonly field: string;
  value: JsonObject;
}

export function envelope({ items, merge = 'values', realWords = false }: EnvelopeInput): Envelope {
  const product = items[0]?.product;
  if (product === undefined) throw new Error('An envelope holds at least one item');
  if (items.some((item) => item.product !== product)) throw new Error('An envelope holds items of one product only');

  const words = (realWords ? upstreamWords : neutralWords)[product];
  const entries: Entry[] = [];
  for (const item of items) place({ entries, item, merge, words });
  return { object: words.object, entry: entries.map((entry) => ({ ...entry })) };
}

interface Placing {
  readonly entries: Entry[];
  readonly item: WebhookItem;
  readonly merge: EnvelopeMerge;
  readonly words: ObjectWords;
}

function place({ entries, item, merge, words }: Placing): void {
  const entry = entryFor({ entries, item, merge });
  switch (item.place.in) {
    case 'entry':
      entry.field = item.place.field;
      entry.value = item.place.value;
      return;
    case 'messaging':
    case 'standby':
      (entry[item.place.in] ??= []).push(item.place.item);
      return;
    case 'changes': {
      const product = words.messagingProduct;
      const isListing = product !== undefined && listsOf(item.place.field).length > 0;
      const value = isListing ? { messaging_product: product, ...item.place.value } : item.place.value;
      addChange((entry.changes ??= []), { field: item.place.field, value }, merge === 'values' && isListing);
    }
  }
}

function entryFor({ entries, item, merge }: Omit<Placing, 'words'>): Entry {
  const found = entries.find(({ id, field }) => id === item.entryId && field === undefined);
  if (found && merge !== 'none' && item.place.in !== 'entry') return found;
  const entry: Entry = { id: item.entryId, ...(item.entryTime !== undefined && { time: item.entryTime }) };
  entries.push(entry);
  return entry;
}

function addChange(changes: Change[], change: Change, joinsValues: boolean): void {
  const same =
    joinsValues && changes.find((other) => other.field === change.field && numberOf(other) === numberOf(change));
  if (!same) {
    changes.push(change);
    return;
  }
  same.value = joinValues(same.value, change);
}

/** The lists of a chatapp value, by its field. */
const listNames: Readonly<Record<string, readonly string[]>> = {
  messages: ['messages', 'statuses'],
  smb_message_echoes: ['message_echoes'],
  calls: ['calls'],
  user_preferences: ['user_preferences'],
  smb_app_state_sync: ['state_sync'],
  history: ['history'],
};

function listsOf(field: string): readonly string[] {
  return Object.hasOwn(listNames, field) ? listNames[field]! : [];
}

/** A contact appears once. */
function joinValues(first: JsonObject, { field, value: second }: Change): JsonObject {
  const joined: Record<string, unknown> = { ...first };
  for (const key of ['contacts', ...listsOf(field)]) {
    const list = [...listAt(first, key), ...listAt(second, key)];
    if (list.length === 0) continue;
    joined[key] = key === 'contacts' ? distinct(list) : list;
  }
  return joined;
}

function listAt(value: JsonObject, key: string): readonly unknown[] {
  const list = value[key];
  return Array.isArray(list) ? list : [];
}

function distinct(list: readonly unknown[]): readonly unknown[] {
  return [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

function numberOf({ value }: Change): string {
  return JSON.stringify(value['metadata']);
}
