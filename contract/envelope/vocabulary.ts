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
  /** If all are empty, the change is the item. */
  readonly valueLists: readonly ValueListVocabulary[];
  readonly contacts?: { readonly key: string; readonly idKeys: readonly string[] };
  readonly otherEventType: EventType;
  readonly describeListed: (list: string, item: ItemSource) => ItemDescription;
  readonly describeChange: (item: ItemSource) => ItemDescription;
}

export interface ValueListVocabulary {
  readonly key: string;
  readonly contactKeys: readonly string[];
}

export interface ItemSource {
  readonly json: JsonTape;
  readonly node: number;
  readonly entry: number;
  /** Of the change; null for an item of an entry's list. */
  readonly field: string | null;
  readonly resourceId: string | null;
}

export interface ItemDescription {
  readonly eventType: EventType;
  readonly conversation: string | null;
  readonly sender: string | null;
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
