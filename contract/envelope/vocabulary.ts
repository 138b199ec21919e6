import type { ChannelType, EventType } from '../event-types.ts';
import type { JsonTape } from './json-tape.ts';

/** The platform's envelope format: its member names, and how to read an item. Supplied by platform/. */
export interface EnvelopeVocabulary {
  readonly objectKey: string;
  readonly entryKey: string;
  /** The member of an entry that lists changes. A change has a field and a value. */
  readonly changesKey: string;
  readonly fieldKey: string;
  readonly valueKey: string;
  readonly products: readonly ProductVocabulary[];
}

export interface ProductVocabulary {
  readonly channelType: ChannelType;
  /** The values of the envelope's `object` for this product. */
  readonly objects: readonly string[];
  /** The path of the platform account's id, in the entry or in the value of a change. */
  readonly resource: { readonly within: 'entry' | 'value'; readonly path: readonly string[] };
  readonly idKey: string;
  /** The members of an entry that list items; changes excluded. */
  readonly entryLists: readonly string[];
  /** The members of a change's value that list items. If all are empty, the change itself is the item. */
  readonly valueLists: readonly ValueListVocabulary[];
  /** Optional. The member of a value that lists the people in its items. */
  readonly contacts?: { readonly key: string; readonly idKeys: readonly string[] };
  readonly otherEventType: EventType;
  readonly describeListed: (list: string, item: ItemSource) => ItemDescription;
  readonly describeChange: (field: string | null, item: ItemSource) => ItemDescription;
}

export interface ValueListVocabulary {
  readonly key: string;
  /** The members of an item that contain the id of a contact. */
  readonly contactKeys: readonly string[];
}

/** For a change, `node` is its value. */
export interface ItemSource {
  readonly json: JsonTape;
  readonly node: number;
  readonly entry: number;
  readonly resourceId: string | null;
}

export interface ItemDescription {
  readonly eventType: EventType;
  /** The conversation within the channel; null for the channel itself. */
  readonly conversation: string | null;
  readonly sender: string | null;
  readonly platformMessageId: string | null;
  /** `kind|platform id|discriminator`, or null if the platform gave the item no id. */
  readonly dedupe: string | null;
}

/** Returns the deduplication key. Separators within a part are escaped, so that different parts never form equal keys. */
export function dedupeText(kind: string, id: string | null, discriminator: readonly (string | null)[] = []): string {
  return `${kind}|${escapePart(id)}|${discriminator.map(escapePart).join(',')}`;
}

function escapePart(part: string | null): string {
  if (part === null) return '';
  return /[%|,]/.test(part) ? part.replace(/[%|,]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) : part;
}
