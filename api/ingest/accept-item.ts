import { createHash, hash } from 'node:crypto';
import { conversationKey } from '../../db/deliveries/conversation-key.ts';
import type { EnvelopeItem } from './split-envelope.ts';
import type { RequestTrace, TracedItem } from './trace-events.ts';

/** 128 bits make collisions practically impossible. */
const KEY_HEX_DIGITS = 32;
const WHOLE_CHANNEL = 0;

export function toAcceptItem(item: EnvelopeItem, trace?: RequestTrace): TracedItem {
  return {
    channelType: item.channelType,
    resourceId: item.resourceId,
    eventType: item.eventType,
    conversationKey: item.conversation === null ? WHOLE_CHANNEL : conversationKey(item.conversation),
    sender: item.sender,
    platformMessageId: item.platformMessageId,
    key: keyOf(item).slice(0, KEY_HEX_DIGITS),
    body: item.body,
    traceParent: trace?.request.traceParent ?? null,
    commitSpan: trace?.commit,
  };
}

function keyOf({ dedupe, eventType, itemBytes }: EnvelopeItem): string {
  if (dedupe !== null) return hash('sha256', dedupe, 'hex');
  return createHash('sha256').update(`${eventType} bytes|`).update(itemBytes).digest('hex');
}
