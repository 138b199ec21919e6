/**
 * A single item keeps its bytes. A batch is cut into envelopes from spans of the raw bytes, so that numbers, escapes
 * and unknown fields stay unchanged.
 */
import { ownContacts } from './envelope-contacts.ts';
import { cutEnvelope, cutMembers, frameOf, markLevels, withheldKeys } from './envelope-frame.ts';
import type { Level } from './envelope-frame.ts';
import { findItems, otherItem } from './envelope-items.ts';
import type { FoundItem } from './envelope-items.ts';
import type { EnvelopeVocabulary, ItemDescription, ProductVocabulary } from '../../contract/envelope/vocabulary.ts';
import type { ChannelType, EventType } from '../../contract/event-types.ts';
import { bytesOf, keysOf } from '../../contract/envelope/json-node.ts';
import { scanJson } from '../../contract/envelope/json-tape.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';

export interface EnvelopeItem extends Omit<ItemDescription, 'eventType'> {
  /** Null for an unknown product. Only staff see such an item. */
  readonly channelType: ChannelType | null;
  /** Null if the item names no account or several. */
  readonly resourceId: string | null;
  readonly eventType: EventType | null;
  readonly body: Uint8Array;
  /** Identify an item without an id. */
  readonly itemBytes: Uint8Array;
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
  if (first !== undefined && items.length === 1) return [presentItem({ json, product, item: first, body: bytes })];
  return cutBatch({ json, product, items }) ?? [wholeEnvelope(bytes, product)];
}

function wholeEnvelope(bytes: Uint8Array, product: ProductVocabulary | undefined): EnvelopeItem {
  const description = product === undefined ? NOTHING_KNOWN : otherItem(product);
  return { channelType: product?.channelType ?? null, resourceId: null, ...description, body: bytes, itemBytes: bytes };
}

const NOTHING_KNOWN = { eventType: null, conversation: null, sender: null, platformMessageId: null, dedupe: null };

interface PresentItem {
  readonly json: JsonTape;
  readonly product: ProductVocabulary;
  readonly item: FoundItem;
  readonly body: Uint8Array;
}

function presentItem({ json, product, item, body }: PresentItem): EnvelopeItem {
  return {
    channelType: product.channelType,
    resourceId: item.resourceId,
    eventType: item.eventType,
    conversation: item.conversation,
    sender: item.sender,
    platformMessageId: item.platformMessageId,
    dedupe: item.dedupe,
    body,
    itemBytes: bytesOf(json, item.node),
  };
}

interface Batch {
  readonly json: JsonTape;
  readonly product: ProductVocabulary;
  readonly items: readonly FoundItem[];
}

function cutBatch({ json, product, items }: Batch): EnvelopeItem[] | undefined {
  for (const { level, resourceId } of items) markLevels(level, resourceId);
  let room = json.bytes.length * MAX_GROWTH + MAX_GROWTH_BYTES;
  const idKeys = product.contacts?.idKeys ?? [];
  const envelopes: EnvelopeItem[] = [];
  for (const item of items) {
    const frame = frameOf(json, item.level);
    const body = cutEnvelope({ frame, item: bytesOf(json, item.node), contacts: ownContacts(json, item, idKeys) });
    room -= body.length;
    if (room < 0) return undefined;
    envelopes.push(presentItem({ json, product, item, body }));
  }
  return [...envelopes, ...withheldItems({ json, product, items })];
}

/** Keeps withheld members for staff, so that no data is lost. */
function withheldItems({ json, product, items }: Batch): EnvelopeItem[] {
  const levels = new Set<Level>();
  for (const { level } of items) for (let at: Level | null = level; at !== null; at = at.parent) levels.add(at);
  return [...levels]
    .filter((level) => withheldKeys(json, level).length > 0)
    .map((level) => {
      const rest = keysOf(json, level.object).filter((key) => key !== level.via);
      const item = cutMembers(json, rest);
      const body =
        level.parent === null ? item : cutEnvelope({ frame: frameOf(json, level.parent), item, contacts: undefined });
      return { ...wholeEnvelope(body, product), itemBytes: item };
    });
}
