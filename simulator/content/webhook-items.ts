import type { AccountObject, CommentObject, PostObject } from './objects/store.ts';
import type { WebhookItem } from '../webhooks/item.ts';
import { pageappFeedComment, pageappFeedPost } from '../webhooks/pageapp-feed.ts';
import { photoappComment } from '../webhooks/photoapp.ts';

export function commentItem(
  comment: CommentObject,
  { verb = 'add', atMs }: { verb?: string; atMs: number },
): WebhookItem {
  const { accountId, id, from, text, postId, parentId } = comment;
  const parent = parentId !== null && { parentId };
  if (comment.product === 'photoapp') {
    const who = { from: from.id, username: from.name };
    return photoappComment({ accountId, id, ...who, text, mediaId: postId, ...parent, atMs, shape: 'changes' });
  }
  const who = { pageId: accountId, from: from.id, name: from.name };
  return pageappFeedComment({ ...who, id, postId, ...parent, text, verb, atMs });
}

const postItems: Readonly<Record<PostObject['type'], string>> = {
  TEXT: 'status',
  LINK: 'share',
  IMAGE: 'photo',
  CAROUSEL: 'photo',
  STORIES: 'photo',
  VIDEO: 'video',
  REELS: 'video',
};

export function postItem(
  post: PostObject,
  { page, verb, atMs }: { page: AccountObject; verb: 'add' | 'remove'; atMs: number },
): WebhookItem {
  const who = { pageId: page.id, from: page.id, name: page.name };
  const text = post.text !== null && { text: post.text };
  return pageappFeedPost({ ...who, id: post.id, item: postItems[post.type], ...text, verb, atMs });
}
