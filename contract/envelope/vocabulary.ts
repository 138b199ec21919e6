import type { ChannelType, EventType } from '../event-types.ts';
import type { JsonTape } from './json-tape.ts';

export interface EnvelopeVocabulary {
  readonly objectKey: string;
  readonly entryKey: string;
  readonly changesKey: string;
  readonly fieldKey: string;
  readonly valueKey: string;
  readonly timeKey: string;
  readonly products: readonly ProductVocabulary[];
}

export interface ProductVocabulary {
  readonly channelType: ChannelType;
  readonly objects: readonly string[];
  readonly resource: { readonly within: 'entry' | 'value'; readonly path: readonly string[] };
  readonly idKey: string;
  /** Members of an entry that list items outside of changes. */
  readonly entryLists: readonly string[];
  /**
   * Members of a value that list items. So does any other list whose elements name people, or whose elements list
   * people. Without any item in a list, the change is the item.
   */
  readonly valueLists: readonly string[];
  /** Optional. Omit if only changes and their entries are items. */
  readonly people?: PeopleVocabulary;
  readonly otherEventType: EventType;
  readonly describeListed: (list: string, item: ItemSource) => ItemDescription;
  readonly describeChange: (item: ItemSource) => ItemDescription;
}

export interface PeopleVocabulary {
  /** The member of a value that describes the people of its items. */
  readonly contactsKey: string;
  readonly idsOfContact: (json: JsonTape, contact: number) => readonly string[];
  /** Returns the ids of the person that an element of a list names, or none. */
  readonly idsOfListed: (list: string, item: ItemPlace) => readonly string[];
  /** Returns the ids of the person that a value without lists names, or none. */
  readonly idsOfChange: (item: ItemPlace) => readonly string[];
}

export interface ItemPlace {
  readonly json: JsonTape;
  readonly node: number;
  /** The value that contains the item, or `ABSENT`. */
  readonly value: number;
}

export interface ItemSource extends ItemPlace {
  readonly entry: number;
  /** Of the change; null for an item of an entry's list. */
  readonly field: string | null;
  readonly resourceId: string | null;
  /** Of the item and of its contact; the preferred one first. Empty for products without contacts. */
  readonly personIds: readonly string[];
}

export interface ItemDescription {
  readonly eventType: EventType;
  readonly conversation: string | null;
  readonly sender: string | null;
  /** All ids of the one person whom the item concerns; the preferred one first. */
  readonly personIds: readonly string[];
  /** Optional. See `eventFlagsText`. Default: null. */
  readonly eventFlags?: string | null;
  readonly platformMessageId: string | null;
  readonly key: ItemKey;
  /** Optional. Set if the item concerns a business account and names none of its numbers. */
  readonly notice?: AccountNotice;
}

export interface AccountNotice {
  readonly businessAccountId: string;
  /** Whether the account may have been banned, removed or deleted, or is back. A health check finds out. */
  readonly needsCheck: boolean;
}

/**
 * What makes an item a duplicate of another: equal words and equal bytes. A redelivery repeats the bytes of an item, while
 * the entry and the other items around it may differ.
 */
export interface ItemKey {
  /** See `keyWords`. The kind of the item, which its bytes do not contain. */
  readonly words: string;
  /** The node whose bytes are compared. */
  readonly node: number;
  /**
   * True if the item has neither an id nor a time of its own, so that a second one may have equal bytes. Then the entry's
   * time counts, and so does the place among equal items of an envelope.
   */
  readonly canRepeat: boolean;
}

/** No word contains the separator: `idText` refuses it. */
export function keyWords(...words: readonly (string | null)[]): string {
  return words.map((word) => word ?? '').join('\0');
}
