import type { ChannelType, EventType } from '../event-types.ts';
import type { JsonTape } from './json-tape.ts';

export interface EnvelopeVocabulary {
  readonly objectKey: string;
  readonly entryKey: string;
  readonly changesKey: string;
  readonly fieldKey: string;
  readonly valueKey: string;
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
  readonly describeChange: (field: string | null, item: ItemSource) => ItemDescription;
}

export interface ValueListVocabulary {
  readonly key: string;
  readonly contactKeys: readonly string[];
}

export interface ItemSource {
  readonly json: JsonTape;
  readonly node: number;
  readonly entry: number;
  readonly resourceId: string | null;
}

export interface ItemDescription {
  readonly eventType: EventType;
  readonly conversation: string | null;
  readonly sender: string | null;
  readonly platformMessageId: string | null;
  /** `kind|platform id|discriminator`, or null without an id. */
  readonly dedupe: string | null;
}

/** Separators are escaped, so that different parts never form equal keys. */
export function dedupeText(kind: string, id: string | null, discriminator: readonly (string | null)[] = []): string {
  return `${kind}|${escapePart(id)}|${discriminator.map(escapePart).join(',')}`;
}

function escapePart(part: string | null): string {
  if (part === null) return '';
  return /[%|,]/.test(part) ? part.replace(/[%|,]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) : part;
}
