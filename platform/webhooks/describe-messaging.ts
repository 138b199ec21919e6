import { keyWords, type ItemDescription, type ItemKey, type ItemSource } from '../../contract/envelope/vocabulary.ts';
import { eventFlagsText } from '../../contract/deliveries/event-flags.ts';
import type { EventType } from '../../contract/event-types.ts';
import { ABSENT, child, idText, isObject, isTrue, keysOf } from '../../contract/envelope/json-node.ts';
import { standbyList, isCreation, isTimedChange, feedField, feedPostItems } from './wire.ts';

/**
 * The member that is present decides an item's kind. The other party is the recipient of an echo, and the sender of any
 * other item.
 */

const messagingKinds = ['message', 'reaction', 'postback', 'read', 'delivery'] as const;
export type MessagingKind = (typeof messagingKinds)[number];

export interface MessagingEventTypes extends Readonly<Record<MessagingKind, EventType>> {
  readonly other: EventType;
}

interface Facts {
  readonly list: string;
  readonly kind: MessagingKind | undefined;
  readonly body: number;
  readonly id: string | null;
  readonly sender: string | null;
  readonly recipient: string | null;
}

export function describeMessaging(types: MessagingEventTypes, list: string, source: ItemSource): ItemDescription {
  const { json, node, resourceId } = source;
  const sender = partyAt(source, 'sender') ?? idText(json, child(json, child(json, node, 'optin'), 'user_ref'));
  const recipient = partyAt(source, 'recipient');
  const kind = kindOf(source);
  const body = kind === undefined ? ABSENT : child(json, node, kind);
  const isOwn = isTrue(json, child(json, body, 'is_echo')) || (sender !== null && sender === resourceId);
  const id = idText(json, child(json, body === ABSENT ? child(json, node, 'message_edit') : body, 'mid'));
  const person = isOwn ? recipient : sender;
  return {
    eventType: kind === undefined || list === standbyList ? types.other : types[kind],
    conversation: person,
    sender,
    eventFlags: eventFlagsText({ echo: isOwn, unsend: isTrue(json, child(json, body, 'is_deleted')) }),
    personIds: [person, earlierReference(source)].filter((known) => known !== null),
    platformMessageId: id,
    key: keyOf(source, { list, kind, body, id, sender, recipient }),
  };
}

/** Before the first message, a visitor of a website has only a reference. */
function partyAt({ json, node }: ItemSource, party: 'sender' | 'recipient'): string | null {
  const at = child(json, node, party);
  return idText(json, child(json, at, 'id')) ?? idText(json, child(json, at, 'user_ref'));
}

/** The reference under which the person was known before. */
function earlierReference({ json, node }: ItemSource): string | null {
  return idText(json, child(json, child(json, node, 'prior_message'), 'identifier'));
}

export function isMessaging({ json, node }: ItemSource): boolean {
  return isObject(json, child(json, node, 'sender')) && isObject(json, child(json, node, 'recipient'));
}

function kindOf({ json, node }: ItemSource): MessagingKind | undefined {
  return messagingKinds.find((kind) => isObject(json, child(json, node, kind)));
}

/**
 * The same message may arrive in the messaging list and in a change, which write what is around the message differently.
 * It is compared by its parties, its time and its own bytes, which include whether it is deleted or edited. On standby it
 * is another item: after a handover, the message may also arrive in the messaging list.
 */
function keyOf(source: ItemSource, facts: Facts): ItemKey {
  const { json, node } = source;
  const { list, kind, body, id, sender, recipient } = facts;
  const sentAt = idText(json, child(json, node, 'timestamp'));
  if (kind === 'message' && sentAt !== null && hasOnlyIds(source, facts)) {
    return { words: keyWords(list, kind, sender, recipient, sentAt), node: body, canRepeat: false };
  }
  // A reaction may have its message's time, and may be taken back and given again.
  return { words: keyWords(list), node, canRepeat: kind === 'reaction' || (id === null && sentAt === null) };
}

/** The parties, the time and the message. */
const MESSAGE_MEMBERS = 4;

/** Whether the words of the key say all that is around the message. */
function hasOnlyIds({ json, node }: ItemSource, { sender, recipient }: Facts): boolean {
  if (sender === null || recipient === null || keysOf(json, node).length !== MESSAGE_MEMBERS) return false;
  return ['sender', 'recipient'].every((name) => {
    const party = child(json, node, name);
    return keysOf(json, party).length === 1 && child(json, party, 'id') !== ABSENT;
  });
}

export function describePhotoComment(source: ItemSource): ItemDescription {
  const { json, node } = source;
  const id = idText(json, child(json, node, 'id'));
  return {
    eventType: 'photoapp.comment.received',
    conversation: idText(json, child(json, child(json, node, 'media'), 'id')),
    ...actorOf(source),
    platformMessageId: id,
    key: { words: keyWords('comment'), node, canRepeat: id === null },
  };
}

export function describeFeed(source: ItemSource): ItemDescription {
  const { json, node } = source;
  const item = idText(json, child(json, node, 'item'));
  const commentId = idText(json, child(json, node, 'comment_id'));
  const postId = idText(json, child(json, node, 'post_id'));
  const key = { words: keyWords(feedField), node, canRepeat: !isCreation(source) };
  const place = { conversation: postId, ...actorOf(source), key };
  if (item === 'comment') return { ...place, eventType: 'pageapp.comment.received', platformMessageId: commentId };
  const isPost = item !== null && feedPostItems.includes(item);
  const eventType = isPost ? 'pageapp.post.changed' : 'pageapp.other.received';
  return { ...place, eventType, platformMessageId: commentId ?? postId };
}

/** Describes what a person did, for example a review of the Page or a mention of it. */
export function describeAct(eventType: EventType, source: ItemSource): ItemDescription {
  const { json, node } = source;
  const actor = actorOf(source);
  const conversation = idText(json, child(json, node, 'post_id')) ?? actor.sender;
  const key = { words: keyWords(source.field), node, canRepeat: !isTimedChange(source) };
  return { eventType, conversation, ...actor, platformMessageId: null, key };
}

const actorMembers = ['from', 'sender', 'reviewer'];
const actorKeys = ['sender_id', 'reviewer_id'];

function actorOf({ json, node, resourceId }: ItemSource): Pick<ItemDescription, 'sender' | 'personIds' | 'eventFlags'> {
  const objects = actorMembers.map((member) => child(json, node, member));
  const ids = [
    ...objects.flatMap((actor) => ['id', 'self_ig_scoped_id'].map((key) => child(json, actor, key))),
    ...actorKeys.map((key) => child(json, node, key)),
  ].flatMap((at) => idText(json, at) ?? []);
  const personIds = [...new Set(ids)];
  const isOwn = resourceId !== null && personIds.includes(resourceId);
  return { sender: personIds[0] ?? null, personIds, eventFlags: eventFlagsText({ echo: isOwn }) };
}
