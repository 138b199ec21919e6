import { dedupeText } from '../../contract/envelope/vocabulary.ts';
import type { ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';
import { feedPostItems } from './wire.ts';

type Words = readonly (string | null)[];

export function describePhotoComment(source: ItemSource): ItemDescription {
  const { json, node } = source;
  const id = idText(json, child(json, node, 'id'));
  return {
    eventType: 'photoapp.comment.received',
    conversation: idText(json, child(json, child(json, node, 'media'), 'id')),
    sender: actorOf(source),
    platformMessageId: id,
    dedupe: id === null ? null : dedupeText('comment', id, verbAndTime(source)),
  };
}

export function describeFeed(source: ItemSource): ItemDescription {
  const { json, node } = source;
  const item = idText(json, child(json, node, 'item'));
  const commentId = idText(json, child(json, node, 'comment_id'));
  const postId = idText(json, child(json, node, 'post_id'));
  const place = { conversation: postId, sender: actorOf(source) };
  if (item === 'comment') {
    const dedupe = commentId === null ? null : dedupeText('comment', commentId, verbAndTime(source));
    return { ...place, eventType: 'pageapp.comment.received', platformMessageId: commentId, dedupe };
  }
  const id = commentId ?? postId;
  if (item === null || !feedPostItems.includes(item)) {
    return { ...place, eventType: 'pageapp.other.received', platformMessageId: id, dedupe: null };
  }
  const isReaction = item === 'reaction' || item === 'like';
  const words = isReaction ? reactionWords(source) : [item, attachmentId(source), ...verbAndTime(source)];
  const dedupe = id === null ? null : dedupeText(isReaction ? 'reaction' : 'post', id, words);
  return { ...place, eventType: 'pageapp.post.changed', platformMessageId: id, dedupe };
}

function actorOf({ json, node }: ItemSource): string | null {
  const from = child(json, node, 'from');
  return idText(json, child(json, from, 'id')) ?? idText(json, child(json, from, 'self_ig_scoped_id'));
}

function attachmentId({ json, node }: ItemSource): string | null {
  return idText(json, child(json, node, 'photo_id')) ?? idText(json, child(json, node, 'video_id'));
}

/**
 * Distinguishes changes of one object. Additions ignore the entry's time, which a redelivery may change. Two edits may
 * differ only in that time.
 */
function verbAndTime({ json, node, entry }: ItemSource): Words {
  const verb = idText(json, child(json, node, 'verb'));
  if (verb === null || verb === 'add') return [verb, idText(json, child(json, node, 'created_time'))];
  return [verb, idText(json, child(json, node, 'created_time')), idText(json, child(json, entry, 'time'))];
}

function reactionWords(source: ItemSource): Words {
  const { json, node } = source;
  return [
    actorOf(source),
    idText(json, child(json, node, 'verb')),
    idText(json, child(json, node, 'reaction_type')),
    idText(json, child(json, node, 'created_time')),
  ];
}
