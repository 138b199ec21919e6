/**
 * A single item keeps its bytes. A batch is cut into envelopes from spans of the raw bytes, so that numbers, escapes
 * and unknown fields stay unchanged.
 */
import { ownContacts } from './envelope-contacts.ts';
import { cutEnvelope, cutMembers, frameOf, markLevels, withheldKeys } from './envelope-frame.ts';
import type { Level } from './envelope-frame.ts';
import { findItems, otherItem } from './envelope-items.ts';
import type { FoundItem } from './envelope-items.ts';
import { keyWords } from '../../contract/envelope/vocabulary.ts';
import type { EnvelopeVocabulary, ItemDescription, ProductVocabulary } from '../../contract/envelope/vocabulary.ts';
import type { ChannelType, EventType } from '../../contract/event-types.ts';
import { bytesOf, child, idText, keysOf } from '../../contract/envelope/json-node.ts';
import { scanJson } from '../../contract/envelope/json-tape.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';

export interface EnvelopeItem extends Omit<ItemDescription, 'eventType' | 'key'> {
  /** Null for an unknown product. Only staff see such an item. */
  readonly channelType: ChannelType | null;
  /** Null if the item names no account or several. */
  readonly resourceId: string | null;
  readonly eventType: EventType | null;
  readonly body: Uint8Array;
  readonly key: EnvelopeItemKey;
}

/** See `ItemKey`. The words contain the entry's time if it counts. */
export interface EnvelopeItemKey {
  readonly words: string;
  readonly bytes: Uint8Array;
  readonly canRepeat: boolean;
}

export interface MalformedEnvelope {
  readonly malformed: string;
}

/** Ordinary batches grow less than threefold. A larger one is malformed on purpose. */
const MAX_GROWTH = 8;
const MAX_GROWTH_BYTES = 16 * 1024 * 1024;

export function splitEnvelope(bytes: Uint8Array, vocabulary: EnvelopeVocabulary): EnvelopeItem[] | MalformedEnvelope {
  const json = scanJson(bytes);
  if ('faultAtByte' in json) return { malformed: `The body is no JSON in UTF-8: byte ${json.faultAtByte}` };
  const { product, items } = findItems(json, vocabulary);
  if (product === undefined || items === undefined) return [wholeEnvelope(bytes, product)];
  const [first] = items;
  const source = { json, product, timeKey: vocabulary.timeKey };
  if (first !== undefined && items.length === 1) return [presentItem({ ...source, item: first, body: bytes })];
  return cutBatch({ ...source, items }) ?? [wholeEnvelope(bytes, product)];
}

function wholeEnvelope(bytes: Uint8Array, product: ProductVocabulary | undefined): EnvelopeItem {
  const description = product === undefined ? NOTHING_KNOWN : otherItem(product);
  const key = { words: '', bytes, canRepeat: true };
  return { channelType: product?.channelType ?? null, resourceId: null, ...description, body: bytes, key };
}

const NOTHING_KNOWN = { eventType: null, conversation: null, sender: null, personIds: [], platformMessageId: null };

interface Source {
  readonly json: JsonTape;
  readonly product: ProductVocabulary;
  readonly timeKey: string;
}

interface PresentItem extends Source {
  readonly item: FoundItem;
  readonly body: Uint8Array;
}

function presentItem({ json, product, timeKey, item, body }: PresentItem): EnvelopeItem {
  const { words, canRepeat } = item.key;
  const time = canRepeat ? idText(json, child(json, item.entry, timeKey)) : null;
  return {
    channelType: product.channelType,
    resourceId: item.resourceId,
    eventType: item.eventType,
    conversation: item.conversation,
    sender: item.sender,
    personIds: item.personIds,
    eventFlags: item.eventFlags ?? null,
    platformMessageId: item.platformMessageId,
    body,
    key: { words: keyWords(words, time), bytes: keyBytes(json, item), canRepeat },
    ...(item.notice && { notice: item.notice }),
  };
}

/** An element of a list in another list's element may say nothing without that element, for example who was removed. */
function keyBytes(json: JsonTape, { key, outer }: FoundItem): Uint8Array {
  const item = bytesOf(json, key.node);
  return outer === null ? item : cutEnvelope({ frame: frameOf(json, outer), item, contacts: undefined });
}

interface Batch extends Source {
  readonly items: readonly FoundItem[];
}

function cutBatch({ json, product, timeKey, items }: Batch): EnvelopeItem[] | undefined {
  for (const { level, resourceId } of items) markLevels(level, resourceId);
  let room = json.bytes.length * MAX_GROWTH + MAX_GROWTH_BYTES;
  const envelopes: EnvelopeItem[] = [];
  for (const item of items) {
    const frame = frameOf(json, item.level);
    const contacts = ownContacts(json, item.level, item.contacts);
    const body = cutEnvelope({ frame, item: bytesOf(json, item.node), contacts });
    room -= body.length;
    if (room < 0) return undefined;
    envelopes.push(presentItem({ json, product, timeKey, item, body }));
  }
  return [...envelopes, ...withheldItems({ json, product, items })];
}

/** Keeps withheld members for staff, so that no data is lost. */
function withheldItems({ json, product, items }: Omit<Batch, 'timeKey'>): EnvelopeItem[] {
  const levels = new Set<Level>();
  for (const { level } of items) for (let at: Level | null = level; at !== null; at = at.parent) levels.add(at);
  return [...levels]
    .filter((level) => withheldKeys(json, level).length > 0)
    .map((level) => {
      const rest = keysOf(json, level.object).filter((key) => key !== level.via);
      const item = cutMembers(json, rest);
      const body =
        level.parent === null ? item : cutEnvelope({ frame: frameOf(json, level.parent), item, contacts: undefined });
      return { ...wholeEnvelope(body, product), key: { words: '', bytes: item, canRepeat: true } };
    });
}
