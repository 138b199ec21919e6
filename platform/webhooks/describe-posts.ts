import { keyWords } from '../../contract/envelope/vocabulary.ts';
import type { ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';
import { eventFlagsText } from '../../contract/deliveries/event-flags.ts';
import type { EventType } from '../../contract/event-types.ts';
import { isCreation, isTimedChange } from './item-times.ts';
import { feedField, feedPostItems } from './wire.ts';

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
