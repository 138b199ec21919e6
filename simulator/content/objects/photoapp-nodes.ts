import { type GraphNode, platformTime } from './fields.ts';
import type { AccountObject, CommentObject, ContentStore, PostObject } from './store.ts';
import { conversations } from './thread-nodes.ts';
import { invalidParameter } from '../../scripted-api/refusals.ts';

export function photoAccountNode(store: ContentStore, account: AccountObject): GraphNode {
  const { id, name, username, followerCount } = account;
  return {
    id,
    type: 'IGUser',
    defaults: ['id'],
    fields: {
      username: username ?? undefined,
      name,
      biography: `All about ${name}`,
      website: `https://${username}.example/`,
      profile_picture_url: `https://cdn.photoapp.example/${id}/profile.jpg`,
      followers_count: followerCount,
      follows_count: 40,
      // Lazy, because few reads count the media.
      get media_count() {
        return store.all('post').filter(({ accountId, type }) => accountId === id && type !== 'STORIES').length;
      },
    },
    nodes: {
      mentioned_comment: (options) => mentionedComment(store, account, options.get('comment_id') ?? ''),
      mentioned_media: (options) => mentionedMedia(store, account, options.get('media_id') ?? ''),
    },
    edges: {
      conversations: (options) => conversations(store, account, options),
      tags: () =>
        newestFirst(store.all('post').filter((post) => post.product === 'photoapp' && post.taggedIds.includes(id))).map(
          (post) => photoMediaNode(store, post),
        ),
    },
  };
}

export function photoMediaNode(store: ContentStore, post: PostObject): GraphNode {
  const owner = store.get('account', post.accountId);
  const isOwn = owner !== undefined && owner.linkedId !== null;
  const comments = () => store.all('comment').filter(({ postId }) => postId === post.id);
  const isVideo = post.type === 'REELS' || post.type === 'VIDEO' || post.mediaUrl?.endsWith('.mp4') === true;
  const kind = { CAROUSEL: 'CAROUSEL_ALBUM' }[String(post.type)] ?? (isVideo ? 'VIDEO' : 'IMAGE');
  return {
    id: post.id,
    type: 'IGMedia',
    defaults: ['id'],
    fields: {
      caption: post.text ?? undefined,
      media_type: kind,
      media_product_type: { REELS: 'REELS', STORIES: 'STORY' }[String(post.type)] ?? 'FEED',
      media_url: post.mediaUrl ?? undefined,
      thumbnail_url: kind === 'VIDEO' ? `${post.permalink}thumbnail.jpg` : undefined,
      permalink: post.permalink,
      timestamp: platformTime(post.createdAtMs),
      username: owner?.username ?? undefined,
      like_count: post.viewerCount,
      get comments_count() {
        return comments().length;
      },
    },
    nodes: {
      owner: () => (isOwn ? photoAccountNode(store, owner) : undefined),
    },
    edges: {
      comments: () =>
        newestFirst(comments().filter(({ parentId }) => parentId === null)).map((comment) =>
          photoCommentNode(store, comment),
        ),
      children: () => post.children.map((child) => childNode(child, post)),
    },
  };
}

export function photoCommentNode(store: ContentStore, comment: CommentObject): GraphNode {
  const post = store.get('post', comment.postId);
  return {
    id: comment.id,
    type: 'IGComment',
    defaults: ['id', 'text', 'timestamp'],
    fields: {
      text: comment.text,
      timestamp: platformTime(comment.createdAtMs),
      username: comment.from.name,
      from: { id: comment.from.id, username: comment.from.name },
      hidden: comment.isHidden,
      like_count: 0,
      parent_id: comment.parentId ?? undefined,
    },
    nodes: { media: () => post && photoMediaNode(store, post) },
    edges: {
      replies: () =>
        store
          .all('comment')
          .filter(({ parentId }) => parentId === comment.id)
          .map((reply) => photoCommentNode(store, reply)),
    },
  };
}

/** Throws if the comment does not mention the account. */
function mentionedComment(store: ContentStore, account: AccountObject, id: string): GraphNode {
  const comment = store.get('comment', id);
  if (!comment?.text.includes(`@${account.username}`)) throw notMentioned('comment_id');
  return photoCommentNode(store, comment);
}

/** Throws if the media does not mention the account. */
function mentionedMedia(store: ContentStore, account: AccountObject, id: string): GraphNode {
  const post = store.get('post', id);
  if (!post?.text?.includes(`@${account.username}`)) throw notMentioned('media_id');
  return photoMediaNode(store, post);
}

function notMentioned(name: string) {
  return invalidParameter(`Param ${name} is not a thing that mentions this account.`);
}

function childNode(id: string, post: PostObject): GraphNode {
  const fields = {
    media_type: 'IMAGE',
    media_url: `${post.permalink}${id}.jpg`,
    permalink: post.permalink,
    timestamp: platformTime(post.createdAtMs),
  };
  return { id, type: 'IGMedia', defaults: ['id'], fields };
}

export function newestFirst<T extends { readonly createdAtMs: number }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => a.createdAtMs - b.createdAtMs).reverse();
}
