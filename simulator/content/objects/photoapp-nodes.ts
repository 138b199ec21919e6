import type { GraphNode } from './fields.ts';
import type { AccountObject, CommentObject, ContentStore, PostObject } from './store.ts';
import { conversations } from './threads.ts';
import { platformTime } from '../../scripted-api/platform-time.ts';
import { invalidParameter } from '../../scripted-api/refusals.ts';

export interface ContentView {
  readonly store: ContentStore;
  readonly nowMs: number;
  readonly token?: string;
}

export function photoAccountNode(view: ContentView, account: AccountObject): GraphNode {
  const { store } = view;
  const { id, name, username, followerCount } = account;
  return {
    id,
    type: 'IGUser',
    defaults: ['id'],
    fields: {
      user_id: id,
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
      mentioned_comment: (options) => mentionedComment(view, account, options.get('comment_id') ?? ''),
      mentioned_media: (options) => mentionedMedia(view, account, options.get('media_id') ?? ''),
    },
    edges: {
      conversations: (options) => conversations(store, account, options),
      tags: () =>
        newestFirst(store.all('post').filter((post) => post.product === 'photoapp' && post.taggedIds.includes(id))).map(
          (post) => photoMediaNode(view, post),
        ),
    },
  };
}

export function photoMediaNode(view: ContentView, post: PostObject): GraphNode {
  const { store } = view;
  const owner = store.get('account', post.accountId);
  const isOwn = owner !== undefined && owner.linkedId !== null;
  const comments = () => store.all('comment').filter(({ postId }) => postId === post.id);
  return {
    id: post.id,
    type: 'IGMedia',
    defaults: ['id'],
    fields: {
      caption: post.text ?? undefined,
      ...mediaKind(post),
      media_url: post.mediaUrl ?? undefined,
      thumbnail_url: post.type === 'REELS' ? `${post.permalink}thumbnail.jpg` : undefined,
      permalink: post.permalink,
      shortcode: post.permalink.split('/').at(-2),
      timestamp: platformTime(post.createdAtMs),
      username: owner?.username ?? undefined,
      like_count: post.viewerCount,
      get comments_count() {
        return comments().length;
      },
      is_comment_enabled: post.isCommentEnabled,
    },
    nodes: {
      owner: () => (isOwn ? photoAccountNode(view, owner) : undefined),
    },
    edges: {
      comments: () =>
        newestFirst(comments().filter(({ parentId }) => parentId === null)).map((comment) =>
          photoCommentNode(view, comment),
        ),
      children: () => post.children.map((child) => childNode(child, post)),
    },
  };
}

export function photoCommentNode(view: ContentView, comment: CommentObject): GraphNode {
  const { store } = view;
  const post = store.get('post', comment.postId);
  const isOwn = comment.from.id === comment.accountId;
  return {
    id: comment.id,
    type: 'IGComment',
    defaults: ['id', 'text', 'timestamp'],
    fields: {
      text: comment.text,
      timestamp: platformTime(comment.createdAtMs),
      username: comment.from.name,
      from: { id: comment.from.id, username: comment.from.name },
      user: isOwn ? { id: comment.from.id } : undefined,
      hidden: comment.isHidden,
      like_count: 0,
      parent_id: comment.parentId ?? undefined,
    },
    nodes: { media: () => post && photoMediaNode(view, post) },
    edges: {
      replies: () =>
        store
          .all('comment')
          .filter(({ parentId }) => parentId === comment.id)
          .map((reply) => photoCommentNode(view, reply)),
    },
  };
}

/** Throws if the comment does not mention the account. */
function mentionedComment(view: ContentView, account: AccountObject, id: string): GraphNode {
  const comment = view.store.get('comment', id);
  if (!comment?.text.includes(`@${account.username}`)) throw notMentioned('comment_id');
  return photoCommentNode(view, comment);
}

/** Throws if the media does not mention the account. */
function mentionedMedia(view: ContentView, account: AccountObject, id: string): GraphNode {
  const post = view.store.get('post', id);
  if (!post?.text?.includes(`@${account.username}`)) throw notMentioned('media_id');
  return photoMediaNode(view, post);
}

function notMentioned(name: string) {
  return invalidParameter(`Param ${name} is not a thing that mentions this account.`);
}

function mediaKind({ type, mediaUrl }: PostObject) {
  const isVideo = type === 'REELS' || type === 'VIDEO' || mediaUrl?.endsWith('.mp4') === true;
  if (type === 'CAROUSEL') return { media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED' };
  const product = { REELS: 'REELS', STORIES: 'STORY' }[String(type)] ?? 'FEED';
  return { media_type: isVideo ? 'VIDEO' : 'IMAGE', media_product_type: product };
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

function newestFirst<T extends { readonly createdAtMs: number }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => a.createdAtMs - b.createdAtMs).reverse();
}
