import type { ChannelType, EventType } from '../event-types.ts';
import type { JsonTape } from './json-tape.ts';

/** What the platform's folder tells the splitter: the words of the envelope, and how to read an item. */
export interface EnvelopeVocabulary {
  readonly objectKey: string;
  readonly entryKey: string;
  /** The member of an entry that lists changes, and the two members of a change. */
  readonly changesKey: string;
  readonly fieldKey: string;
  readonly valueKey: string;
  readonly products: readonly ProductVocabulary[];
}

export interface ProductVocabulary {
  readonly channelType: ChannelType;
  /** The values of the envelope's `object` that mean this product. */
  readonly objects: readonly string[];
  /** Where the text that names the channel's platform account stands: in the entry, or in the value of a change. */
  readonly resource: { readonly within: 'entry' | 'value'; readonly path: readonly string[] };
  readonly idKey: string;
  /** The members of an entry that list items, besides its changes. */
  readonly entryLists: readonly string[];
  /** The members of a change's value that list items; where none is filled, the change is the item. */
  readonly valueLists: readonly ValueListVocabulary[];
  /** The member of a value that lists the people its items are about. */
  readonly contacts?: { readonly key: string; readonly idKeys: readonly string[] };
  readonly otherEventType: EventType;
  /** Reads one element of a list. */
  readonly describeListed: (list: string, item: ItemSource) => ItemDescription;
  /** Reads a change that is one item. */
  readonly describeChange: (field: string | null, item: ItemSource) => ItemDescription;
}

export interface ValueListVocabulary {
  readonly key: string;
  /** The members of an item that name the person a contact describes. */
  readonly contactKeys: readonly string[];
}

/** Where an item stands: for a change, `node` is its value. */
export interface ItemSource {
  readonly json: JsonTape;
  readonly node: number;
  readonly entry: number;
  readonly resourceId: string | null;
}

export interface ItemDescription {
  readonly eventType: EventType;
  /** Names the conversation within the channel; null is the channel itself. */
  readonly conversation: string | null;
  readonly sender: string | null;
  readonly platformMessageId: string | null;
  /** `kind|platform id|discriminator`; null for an item that the platform gave no id. */
  readonly dedupe: string | null;
}

/** The dedupe text; undefined parts are empty, and separators inside a part are escaped so that no two keys meet. */
export function dedupeText(kind: string, id: string | null, discriminator: readonly (string | null)[] = []): string {
  return `${kind}|${escapePart(id)}|${discriminator.map(escapePart).join(',')}`;
}

function escapePart(part: string | null): string {
  if (part === null) return '';
  return /[%|,]/.test(part) ? part.replace(/[%|,]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) : part;
}
