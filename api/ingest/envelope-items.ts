/**
 * Finds the items in a scanned envelope. A level is split only if its lists are arrays and no structural member is
 * repeated: parsers differ in which one they read, so another tenant's item could hide there. Any other level becomes a
 * single item of kind "other", routed to a channel only if all of it is known to belong there.
 */
import { levelOf } from './envelope-frame.ts';
import type { Level } from './envelope-frame.ts';
import type { EnvelopeVocabulary, ItemDescription, ProductVocabulary } from '../../contract/envelope/vocabulary.ts';
import {
  ABSENT,
  agreedText,
  elementsOf,
  idText,
  isArray,
  isNull,
  isObject,
  pickKeys,
  valueOfKey,
} from '../../contract/envelope/json-node.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';

export interface FoundItem extends ItemDescription {
  readonly level: Level;
  readonly node: number;
  readonly entry: number;
  readonly resourceId: string | null;
  readonly contactKeys: readonly string[];
  /** A sole contact belongs to a sole item, regardless of the contact's id. */
  readonly isSole: boolean;
}

export interface FoundItems {
  readonly product: ProductVocabulary | undefined;
  /** Undefined if the whole envelope is one item without a channel. */
  readonly items: readonly FoundItem[] | undefined;
}

interface Walk {
  readonly json: JsonTape;
  readonly vocabulary: EnvelopeVocabulary;
  readonly product: ProductVocabulary;
  readonly items: FoundItem[];
}

const ROOT = 0;
/** A regular item has 100 bytes, so 4 MiB hold 42,000. A larger envelope is malformed on purpose. */
const MAX_ITEMS = 50_000;

export function findItems(json: JsonTape, vocabulary: EnvelopeVocabulary): FoundItems {
  const object = agreedText(json, ROOT, [vocabulary.objectKey]);
  const product = vocabulary.products.find(({ objects }) => object !== null && objects.includes(object));
  if (product === undefined) return { product, items: undefined };
  const keys = pickKeys(json, ROOT, [vocabulary.objectKey, vocabulary.entryKey]);
  const via = keys?.[1] ?? ABSENT;
  const entries = elementsOf(json, valueOfKey(via));
  if (entries.length === 0) return { product, items: undefined };
  const level = levelOf({ parent: null, object: ROOT, via, dropped: [], contacts: ABSENT });
  const walk: Walk = { json, vocabulary, product, items: [] };
  for (const entry of entries) {
    if (isFull(walk)) return { product, items: undefined };
    walkEntry(walk, { entry, level });
  }
  return { product, items: isFull(walk) ? undefined : walk.items };
}

function isFull({ items }: Walk): boolean {
  return items.length > MAX_ITEMS;
}

function walkEntry(walk: Walk, { entry, level }: { readonly entry: number; readonly level: Level }): void {
  const { json, vocabulary, product } = walk;
  const lists = [...product.entryLists, vocabulary.changesKey];
  const names = [...lists, product.idKey, vocabulary.fieldKey, vocabulary.valueKey];
  const resourceId = product.resource.within === 'entry' ? agreedText(json, entry, product.resource.path) : null;
  const keys = isObject(json, entry) ? pickKeys(json, entry, names) : undefined;
  const listKeys = keys?.slice(0, lists.length) ?? [];
  const filled = listKeys.filter((key) => elementsOf(json, valueOfKey(key)).length > 0);
  const isDirect = keys?.at(-1) !== ABSENT && keys?.at(-2) !== ABSENT;
  if (keys === undefined || !areLists(json, listKeys) || isDirect === filled.length > 0) {
    return pushOther(walk, { level, node: entry, entry, resourceId });
  }
  if (isDirect) return walkChange(walk, { change: entry, entry, level, entryResourceId: resourceId });
  for (const [index, list] of lists.entries()) {
    const via = listKeys[index]!;
    if (filled.includes(via)) walkList(walk, { list, via, lists, entry, level, resourceId });
  }
}

interface ListPlace {
  readonly list: string;
  readonly via: number;
  readonly lists: readonly string[];
  readonly entry: number;
  readonly level: Level;
  readonly resourceId: string | null;
}

function walkList(walk: Walk, { list, via, lists, entry, level, resourceId }: ListPlace): void {
  const { json, vocabulary } = walk;
  const inner = levelOf({ parent: level, object: entry, via, dropped: lists, contacts: ABSENT });
  for (const node of elementsOf(json, valueOfKey(via))) {
    if (isFull(walk)) return;
    if (list === vocabulary.changesKey) {
      walkChange(walk, { change: node, entry, level: inner, entryResourceId: resourceId });
    } else {
      pushListed(walk, { list, field: null, level: inner, node, entry, resourceId, contactKeys: [], isSole: false });
    }
  }
}

interface ChangePlace {
  /** The entry itself if it has the field and the value directly. */
  readonly change: number;
  readonly entry: number;
  readonly level: Level;
  readonly entryResourceId: string | null;
}

function walkChange(walk: Walk, { change, entry, level, entryResourceId }: ChangePlace): void {
  const { json, vocabulary, product } = walk;
  const { within, path } = product.resource;
  const resourceId = within === 'value' ? agreedText(json, change, [vocabulary.valueKey, ...path]) : entryResourceId;
  const keys = pickKeys(json, change, [vocabulary.fieldKey, vocabulary.valueKey]);
  const via = keys?.[1] ?? ABSENT;
  if (keys === undefined || via === ABSENT) return pushOther(walk, { level, node: change, entry, resourceId });

  const value = valueOfKey(via);
  const field = idText(json, valueOfKey(keys[0]!));
  const dropped = product.valueLists.map(({ key }) => key);
  const listKeys = pickKeys(json, value, product.contacts ? [...dropped, product.contacts.key] : dropped);
  if (listKeys === undefined || !areLists(json, listKeys)) {
    return pushOther(walk, { level, node: change, entry, resourceId });
  }
  const contactsKey = listKeys[dropped.length] ?? ABSENT;
  const counts = dropped.map((_, index) => elementsOf(json, valueOfKey(listKeys[index]!)).length);
  const count = counts.reduce((sum, length) => sum + length, 0);
  if (count === 0) {
    const description = product.describeChange({ json, node: value, entry, field, resourceId });
    return pushItem(walk, { ...description, level, node: change, entry, resourceId, contactKeys: [], isSole: true });
  }
  const outer = levelOf({ parent: level, object: change, via, dropped: [], contacts: ABSENT });
  const contacts = isArray(json, valueOfKey(contactsKey)) ? contactsKey : ABSENT;
  for (const [index, { key: list, contactKeys }] of product.valueLists.entries()) {
    const inner = levelOf({ parent: outer, object: value, via: listKeys[index]!, dropped, contacts });
    for (const node of elementsOf(json, valueOfKey(listKeys[index]!))) {
      if (isFull(walk)) return;
      pushListed(walk, { list, field, level: inner, node, entry, resourceId, contactKeys, isSole: count === 1 });
    }
  }
}

function areLists(json: JsonTape, keys: readonly number[]): boolean {
  return keys.every((key) => key === ABSENT || isArray(json, valueOfKey(key)) || isNull(json, valueOfKey(key)));
}

type Place = Pick<FoundItem, 'level' | 'node' | 'entry' | 'resourceId'>;
type ListedPlace = Place &
  Pick<FoundItem, 'contactKeys' | 'isSole'> & { readonly list: string; readonly field: string | null };

function pushListed(walk: Walk, { list, field, ...place }: ListedPlace): void {
  const { json, product } = walk;
  if (!isObject(json, place.node)) return pushOther(walk, place);
  const { node, entry, resourceId } = place;
  pushItem(walk, { ...product.describeListed(list, { json, node, entry, field, resourceId }), ...place });
}

function pushOther(walk: Walk, { level, node, entry, resourceId }: Place): void {
  const key = { words: '', node, canRepeat: true };
  pushItem(walk, { ...otherItem(walk.product), key, level, node, entry, resourceId, contactKeys: [], isSole: false });
}

function pushItem(walk: Walk, item: FoundItem): void {
  walk.items.push(item);
}

export function otherItem({ otherEventType: eventType }: ProductVocabulary): Omit<ItemDescription, 'key'> {
  return { eventType, conversation: null, sender: null, platformMessageId: null };
}
