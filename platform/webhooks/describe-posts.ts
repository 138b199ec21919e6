/** Describes comments of both products and the items of a pageapp feed. */
import { dedupeText } from '../../contract/envelope/vocabulary.ts';
import type { ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';
import { feedPostItems } from './wire.ts';

type Words = readonly (string | null)[];

/** Describes a photoapp comment in either envelope shape. */
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

/** Describes a feed value: a comment, a post, or a reaction. */
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

/** Distinguishes photos and videos added to the same post. */
function attachmentId({ json, node }: ItemSource): string | null {
  return idText(json, child(json, node, 'photo_id')) ?? idText(json, child(json, node, 'video_id'));
}

/**
 * Distinguishes changes of one comment or post. An object is added once, so additions ignore the entry's time, which a
 * redelivery may change. Two edits may share the creation time and differ only in the entry's time.
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
