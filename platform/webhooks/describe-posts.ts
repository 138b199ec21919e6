import { keyWords } from '../../contract/envelope/vocabulary.ts';
import type { ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';
import { isCreation } from './item-times.ts';
import { feedField, feedPostItems } from './wire.ts';

export function describePhotoComment(source: ItemSource): ItemDescription {
  const { json, node } = source;
  const id = idText(json, child(json, node, 'id'));
  return {
    eventType: 'photoapp.comment.received',
    conversation: idText(json, child(json, child(json, node, 'media'), 'id')),
    sender: actorOf(source),
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
  const place = { conversation: postId, sender: actorOf(source), key };
  if (item === 'comment') return { ...place, eventType: 'pageapp.comment.received', platformMessageId: commentId };
  const isPost = item !== null && feedPostItems.includes(item);
  const eventType = isPost ? 'pageapp.post.changed' : 'pageapp.other.received';
  return { ...place, eventType, platformMessageId: commentId ?? postId };
}

function actorOf({ json, node }: ItemSource): string | null {
  const from = child(json, node, 'from');
  return idText(json, child(json, from, 'id')) ?? idText(json, child(json, from, 'self_ig_scoped_id'));
}
