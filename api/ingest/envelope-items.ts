/**
 * Finds the items in a scanned envelope. A level is split only if its lists are arrays and no structural member is
 * repeated: parsers differ in which one they read, so another tenant's item could hide there. Any other level becomes a
 * single item of kind "other", routed to a channel only if all of it is known to belong there.
 */
import { findPerson } from './envelope-contacts.ts';
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
  keysOf,
  keyText,
  pickKeys,
  valueOfKey,
} from '../../contract/envelope/json-node.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';

export interface FoundItem extends ItemDescription {
  readonly level: Level;
  readonly node: number;
  readonly entry: number;
  readonly resourceId: string | null;
  /** Those of the item's person. */
  readonly contacts: readonly number[];
  /** Null unless the item is an element of a list in another list's element. */
  readonly outer: Level | null;
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
    if (filled.includes(via)) walkList(walk, { list, via, listKeys, entry, level, resourceId });
  }
}

interface ListPlace {
  readonly list: string;
  readonly via: number;
  readonly listKeys: readonly number[];
  readonly entry: number;
  readonly level: Level;
  readonly resourceId: string | null;
}

function walkList(walk: Walk, { list, via, listKeys, entry, level, resourceId }: ListPlace): void {
  const { json, vocabulary } = walk;
  const inner = levelOf({ parent: level, object: entry, via, dropped: listKeys, contacts: ABSENT });
  for (const node of elementsOf(json, valueOfKey(via))) {
    if (isFull(walk)) return;
    if (list === vocabulary.changesKey) {
      walkChange(walk, { change: node, entry, level: inner, entryResourceId: resourceId });
    } else {
      pushListed(walk, { list, field: null, level: inner, node, entry, value: ABSENT, resourceId, isSole: false });
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
  const lists = listsOf(walk, value);
  if (lists === undefined) return pushOther(walk, { level, node: change, entry, resourceId });
  const { contacts, keys: dropped } = lists;
  const field = idText(json, valueOfKey(keys[0]!));
  const elements = lists.filled.map(({ key }) => elementsOf(json, valueOfKey(key)).length);
  const isSole = elements.reduce((sum, length) => sum + length, 0) === 1;
  if (elements.length === 0)
    return pushChange(walk, { field, value, contacts, node: change, entry, level, resourceId });
  const outer = levelOf({ parent: level, object: change, via, dropped: [], contacts: ABSENT });
  for (const { name: list, key } of lists.filled) {
    const inner = levelOf({ parent: outer, object: value, via: key, dropped, contacts });
    for (const node of elementsOf(json, valueOfKey(key))) {
      if (isFull(walk)) return;
      walkElement(walk, { list, field, level: inner, node, entry, value, resourceId, isSole });
    }
  }
}

interface ValueLists {
  /** `ABSENT` without contacts. */
  readonly contacts: number;
  readonly filled: readonly { readonly name: string; readonly key: number }[];
  /** Of all lists of items, including empty ones. */
  readonly keys: readonly number[];
}

/** Returns undefined if parsers could disagree about what the value lists. */
function listsOf({ json, product }: Walk, value: number): ValueLists | undefined {
  const { valueLists, people } = product;
  const others = people === undefined ? [] : listsOfPeople(json, value, product);
  const names = [...valueLists, ...others];
  const picked = pickKeys(json, value, people === undefined ? names : [...names, people.contactsKey]);
  if (picked === undefined || !areLists(json, picked)) return undefined;
  const keys = picked.slice(0, names.length);
  const contacts = picked[names.length] ?? ABSENT;
  return {
    contacts: isArray(json, valueOfKey(contacts)) ? contacts : ABSENT,
    filled: names
      .map((name, index) => ({ name, key: keys[index]! }))
      .filter(({ key }) => elementsOf(json, valueOfKey(key)).length > 0),
    keys,
  };
}

/** The names of lists, besides the known ones, whose elements name people or list people. */
function listsOfPeople(json: JsonTape, node: number, { people, valueLists }: ProductVocabulary): string[] {
  const known = new Set([...valueLists, people?.contactsKey]);
  const names = keysOf(json, node)
    .filter((key) => isArray(json, valueOfKey(key)))
    .map((key) => ({ key, name: keyText(json, key) }))
    .filter(({ name }) => !known.has(name));
  const isOfPeople = (list: string, key: number, depth: number): boolean =>
    elementsOf(json, valueOfKey(key)).some((element) => namesPeople(list, element, depth));
  const namesPeople = (list: string, element: number, depth: number): boolean =>
    (people?.idsOfListed(list, { json, node: element, value: node }).length ?? 0) > 0 ||
    (depth > 0 && keysOf(json, element).some((key) => isOfPeople(keyText(json, key), key, depth - 1)));
  return [...new Set(names.filter(({ name, key }) => isOfPeople(name, key, 1)).map(({ name }) => name))];
}

/** An element that names no person may list several, for example the threads of a history. */
function walkElement(walk: Walk, place: ListedPlace): void {
  const { json, product } = walk;
  const { list, node, value, level } = place;
  const people = product.valueLists.includes(list) ? undefined : product.people;
  const isOfOne = people === undefined || people.idsOfListed(list, { json, node, value }).length > 0;
  const names = isOfOne ? [] : listsOfPeople(json, node, { ...product, valueLists: [] });
  const keys = pickKeys(json, node, names);
  if (names.length === 0 || keys === undefined || !areLists(json, keys)) return pushListed(walk, place);
  const count = keys.reduce((sum, key) => sum + elementsOf(json, valueOfKey(key)).length, 0);
  for (const [index, name] of names.entries()) {
    const via = keys[index]!;
    const inner = levelOf({ parent: level, object: node, via, dropped: keys, contacts: ABSENT });
    const outer = levelOf({ parent: null, object: node, via, dropped: keys, contacts: ABSENT });
    for (const element of elementsOf(json, valueOfKey(via))) {
      if (isFull(walk)) return;
      pushListed(walk, {
        ...place,
        list: name,
        level: inner,
        node: element,
        outer,
        isSole: place.isSole && count === 1,
      });
    }
  }
}

function areLists(json: JsonTape, keys: readonly number[]): boolean {
  return keys.every((key) => key === ABSENT || isArray(json, valueOfKey(key)) || isNull(json, valueOfKey(key)));
}

interface Place {
  readonly level: Level;
  readonly node: number;
  readonly entry: number;
  readonly resourceId: string | null;
}

interface ListedPlace extends Place {
  readonly list: string;
  readonly field: string | null;
  /** The value that contains the item, or `ABSENT`. */
  readonly value: number;
  readonly isSole: boolean;
  /** Optional. Default: null. */
  readonly outer?: Level;
}

function pushListed(walk: Walk, place: ListedPlace): void {
  const { json, product } = walk;
  const { list, field, level, node, entry, value, resourceId, isSole, outer = null } = place;
  if (!isObject(json, node)) return pushOther(walk, place);
  const ids = product.people?.idsOfListed(list, { json, node, value }) ?? [];
  const contactsLevel = outer === null ? level : level.parent!;
  const { personIds, contacts } = findPerson(json, product.people, { level: contactsLevel, ids, isSole });
  const description = product.describeListed(list, { json, field, node, entry, value, resourceId, personIds });
  walk.items.push({ ...description, level, node, entry, resourceId, contacts, outer });
}

interface WholeChange extends Place {
  readonly field: string | null;
  readonly value: number;
  /** The key of the value's contacts, or `ABSENT`. */
  readonly contacts: number;
}

function pushChange(walk: Walk, { field, value, contacts, ...place }: WholeChange): void {
  const { json, product } = walk;
  const within = levelOf({ parent: null, object: value, via: ABSENT, dropped: [], contacts });
  const ids = product.people?.idsOfChange({ json, node: value, value }) ?? [];
  const { personIds } = findPerson(json, product.people, { level: within, ids, isSole: true });
  const { entry, resourceId } = place;
  const description = product.describeChange({ json, field, node: value, entry, value, resourceId, personIds });
  walk.items.push({ ...description, ...place, contacts: [], outer: null });
}

function pushOther(walk: Walk, { level, node, entry, resourceId }: Place): void {
  const key = { words: '', node, canRepeat: true };
  walk.items.push({ ...otherItem(walk.product), key, level, node, entry, resourceId, contacts: [], outer: null });
}

export function otherItem({ otherEventType: eventType }: ProductVocabulary): Omit<ItemDescription, 'key'> {
  return { eventType, conversation: null, sender: null, personIds: [], platformMessageId: null };
}
