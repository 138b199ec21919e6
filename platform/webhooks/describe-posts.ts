/** Reads what happens around posts: comments of both products, and the pageapp's feed. */
import { dedupeText } from '../../contract/envelope/vocabulary.ts';
import type { ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';
import { feedPostItems } from './wire.ts';

type Words = readonly (string | null)[];

/** A photoapp comment, in either of its envelope shapes. */
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

/** A value of the pageapp's feed: a comment, a post, or a reaction to either. */
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

/** Photos and videos added to one post differ by their own ids. */
function attachmentId({ json, node }: ItemSource): string | null {
  return idText(json, child(json, node, 'photo_id')) ?? idText(json, child(json, node, 'video_id'));
}

/**
 * What tells the changes of one comment or post apart. It is added once, so the entry's time, which a repetition might
 * not keep, has no part in that; but two edits may both carry the time of creation, and only the entry's differs.
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
