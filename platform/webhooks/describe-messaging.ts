/**
 * The member that is present decides an item's kind. The other party is the recipient of an echo, and the sender of any
 * other item.
 */
import { dedupeText } from '../../contract/envelope/vocabulary.ts';
import type { ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import type { EventType } from '../../contract/event-types.ts';
import { ABSENT, child, idText, isObject, isTrue } from '../../contract/envelope/json-node.ts';
import { standbyList } from './wire.ts';

const messagingKinds = ['message', 'reaction', 'postback', 'read', 'delivery'] as const;
export type MessagingKind = (typeof messagingKinds)[number];

export interface MessagingEventTypes extends Readonly<Record<MessagingKind, EventType>> {
  readonly other: EventType;
}

interface KindSource extends ItemSource {
  readonly body: number;
  readonly sender: string | null;
}

export function describeMessaging(types: MessagingEventTypes, list: string, source: ItemSource): ItemDescription {
  const { json, node, resourceId } = source;
  const sender = idText(json, child(json, child(json, node, 'sender'), 'id'));
  const recipient = idText(json, child(json, child(json, node, 'recipient'), 'id'));
  const kind = kindOf(source);
  const body = kind === undefined ? ABSENT : child(json, node, kind);
  const isOwn = isTrue(json, child(json, body, 'is_echo')) || (sender !== null && sender === resourceId);
  const id = idText(json, child(json, body, 'mid'));
  const dedupe = kind === undefined ? null : dedupeKey(kind, id, { ...source, body, sender });
  const isStandby = list === standbyList;
  return {
    eventType: kind === undefined || isStandby ? types.other : types[kind],
    conversation: isOwn ? recipient : sender,
    sender,
    platformMessageId: id,
    // The same message may arrive on standby and, after a handover, in the messaging list.
    dedupe: dedupe === null || !isStandby ? dedupe : `standby.${dedupe}`,
  };
}

export function isMessaging({ json, node }: ItemSource): boolean {
  return isObject(json, child(json, node, 'sender')) && isObject(json, child(json, node, 'recipient'));
}

function kindOf({ json, node }: ItemSource): MessagingKind | undefined {
  return messagingKinds.find((kind) => isObject(json, child(json, node, kind)));
}

function dedupeKey(kind: MessagingKind, id: string | null, { json, node, body, sender }: KindSource): string | null {
  const sentAt = idText(json, child(json, node, 'timestamp'));
  const watermark = idText(json, child(json, body, 'watermark'));
  switch (kind) {
    case 'message': {
      if (id === null) return null;
      if (isTrue(json, child(json, body, 'is_deleted'))) return dedupeText(kind, id, ['deleted', sentAt]);
      return dedupeText(kind, id, isTrue(json, child(json, body, 'is_echo')) ? ['echo'] : []);
    }
    case 'reaction': {
      if (id === null) return null;
      return dedupeText(kind, id, [sender, idText(json, child(json, body, 'action')), sentAt]);
    }
    case 'postback':
      return id === null ? null : dedupeText(kind, id, [sender, sentAt]);
    case 'read':
    case 'delivery':
      return id === null && watermark === null ? null : dedupeText(kind, id, [watermark, sender]);
  }
}
