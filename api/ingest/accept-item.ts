import { hash } from 'node:crypto';
import { conversationKey } from '../../db/deliveries/conversation-key.ts';
import { keyWords } from '../../contract/envelope/vocabulary.ts';
import type { EnvelopeItem, EnvelopeItemKey } from './split-envelope.ts';
import type { RequestTrace, TracedItem } from './trace-events.ts';

/** 128 bits make collisions practically impossible. */
const KEY_HEX_DIGITS = 32;
const WHOLE_CHANNEL = 0;

/** Takes all items of an envelope, because equal ones may be numbered. */
export function toAcceptItems(items: readonly EnvelopeItem[], trace?: RequestTrace): TracedItem[] {
  const keys = keysOf(items);
  return items.map((item, index) => ({
    channelType: item.channelType,
    resourceId: item.resourceId,
    eventType: item.eventType,
    conversationKey: item.conversation === null ? WHOLE_CHANNEL : conversationKey(item.conversation),
    sender: item.sender,
    personIds: knownPeople(item),
    eventFlags: item.eventFlags ?? null,
    platformMessageId: item.platformMessageId,
    key: keys[index]!,
    body: item.body,
    traceParent: trace?.request.traceParent ?? null,
    commitSpan: trace?.commit,
  }));
}

/** Bounds what one event adds to the index of people. A person has three ids, and six while two of them change. */
const MAX_PERSON_IDS = 8;

/** Returns null if the sender is the only id. */
function knownPeople({ personIds, sender }: EnvelopeItem): readonly string[] | null {
  const isSenderOnly = personIds.length === 1 && personIds[0] === sender;
  return personIds.length === 0 || isSenderOnly ? null : personIds.slice(0, MAX_PERSON_IDS);
}

/** A field that changes to and fro within the time of one entry has equal values in it, and each is a change. */
function keysOf(items: readonly EnvelopeItem[]): string[] {
  const counts = new Map<string, number>();
  return items.map(({ key, resourceId }) => {
    const first = keyOf(key);
    if (!key.canRepeat || items.length === 1) return first;
    const counted = keyWords(first, resourceId);
    const before = counts.get(counted) ?? 0;
    counts.set(counted, before + 1);
    return before === 0 ? first : digestOf(keyWords(first, String(before)));
  });
}

function keyOf({ words, bytes }: EnvelopeItemKey): string {
  return digestOf(Buffer.concat([Buffer.from(keyWords(words, '')), bytes]));
}

function digestOf(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').slice(0, KEY_HEX_DIGITS);
}
