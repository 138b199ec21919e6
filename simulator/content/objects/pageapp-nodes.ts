import type { FieldOptions, GraphNode } from './fields.ts';
import type { AccountObject, CommentObject, ContentStore, PostObject } from './store.ts';
import { conversations } from './threads.ts';
import { platformTime } from '../../scripted-api/platform-time.ts';
import { invalidParameter } from '../../scripted-api/refusals.ts';
import { albumNode, uploadsOf } from './pageapp-uploads.ts';
import { photoAccountNode, type ContentView } from './photoapp-nodes.ts';

const DAY_MS = 86_400_000;
const LINKED_PHOTO = 'instagram_business_account';

const statusTypes: Readonly<Record<PostObject['type'], string>> = {
  TEXT: 'mobile_status_update',
  LINK: 'shared_story',
  IMAGE: 'added_photos',
  CAROUSEL: 'added_photos',
  STORIES: 'added_photos',
  VIDEO: 'added_video',
  REELS: 'added_video',
};

export function pageNode(view: ContentView, page: AccountObject): GraphNode {
  const { store, nowMs } = view;
  const { id, name, category, followerCount } = page;
  const url = `https://cdn.pageapp.example/${id}/picture.jpg`;
  const posts = (isWanted: (post: PostObject) => boolean): GraphNode[] =>
    store
      .all('post')
      .filter((post) => post.accountId === id && isWanted(post))
      .toSorted((a, b) => (a.visibleAtMs ?? a.createdAtMs) - (b.visibleAtMs ?? b.createdAtMs))
      .reverse()
      .map((post) => pagePostNode(view, post));
  const isStory = ({ type }: PostObject): boolean => type === 'STORIES';
  const visible = () => posts((post) => isVisible(post, nowMs) && !isStory(post));
  return {
    id,
    type: 'Page',
    defaults: ['name', 'id'],
    fields: {
      name,
      category,
      about: `All about ${name}`,
      followers_count: followerCount,
      fan_count: followerCount - 1,
      link: `https://www.pageapp.example/${id}`,
      username: page.username ?? undefined,
      picture: { data: { height: 50, is_silhouette: false, url, width: 50 } },
      access_token: view.token,
      verification_status: 'not_verified',
    },
    nodes: {
      [LINKED_PHOTO]: () => {
        const photo = store.get('account', page.linkedId ?? '');
        return photo && photoAccountNode(view, photo);
      },
    },
    edges: {
      posts: visible,
      published_posts: visible,
      feed: visible,
      scheduled_posts: () => posts(({ visibleAtMs }) => visibleAtMs !== null && visibleAtMs > nowMs),
      stories: () =>
        store
          .all('post')
          .filter((post) => post.accountId === id && isStory(post) && nowMs - post.createdAtMs < DAY_MS)
          .toReversed()
          .map((post) => storyNode(store, post)),
      albums: () =>
        store
          .all('album')
          .filter(({ accountId }) => accountId === id)
          .map((album) => albumNode(view, album)),
      photos: () => uploadsOf(view, id, ['photo']),
      videos: () => uploadsOf(view, id, ['video', 'reel']),
      video_reels: () => uploadsOf(view, id, ['reel']),
      conversations: (options) => conversations(store, page, options),
    },
  };
}

function storyNode(store: ContentStore, { id, createdAtMs, objectId, permalink }: PostObject): GraphNode {
  const fields = {
    post_id: id,
    status: 'PUBLISHED',
    creation_time: String(Math.floor(createdAtMs / 1000)),
    media_type: store.get('upload', objectId ?? '')?.type === 'photo' ? 'photo' : 'video',
    media_id: objectId,
    url: permalink,
  };
  return { id, type: 'Story', defaults: Object.keys(fields), fields };
}

export function pagePostNode(view: ContentView, post: PostObject): GraphNode {
  const { store, nowMs } = view;
  const page = store.get('account', post.accountId);
  const isShown = isVisible(post, nowMs);
  return {
    id: post.id,
    type: 'Post',
    defaults: ['created_time', 'message', 'id'],
    fields: {
      created_time: platformTime(post.createdAtMs),
      updated_time: platformTime(post.createdAtMs),
      message: post.text ?? undefined,
      from: { name: page?.name, id: post.accountId },
      permalink_url: post.permalink,
      status_type: statusTypes[post.type],
      full_picture: post.mediaUrl ?? undefined,
      is_published: isShown,
      is_hidden: false,
      scheduled_publish_time: !isShown && post.visibleAtMs !== null ? Math.floor(post.visibleAtMs / 1000) : undefined,
      attachments: attachmentsOf(post),
      shares: { count: 0 },
    },
    edges: { comments: (options) => commentsOf(view, { postId: post.id, options }) },
  };
}

export function pageCommentNode(view: ContentView, comment: CommentObject): GraphNode {
  const { store } = view;
  const parent = store.get('comment', comment.parentId ?? '');
  const post = store.get('post', comment.postId);
  const replies = () => store.all('comment').filter(({ parentId }) => parentId === comment.id);
  return {
    id: comment.id,
    type: 'Comment',
    defaults: ['created_time', 'from', 'message', 'id'],
    fields: {
      created_time: platformTime(comment.createdAtMs),
      from: { name: comment.from.name, id: comment.from.id },
      message: comment.text,
      is_hidden: comment.isHidden,
      can_hide: comment.from.id !== comment.accountId,
      can_remove: true,
      can_comment: !comment.isHidden,
      can_reply_privately: comment.from.id !== comment.accountId,
      get comment_count() {
        return replies().length;
      },
      like_count: 0,
      permalink_url: `${post?.permalink}?comment_id=${comment.id.split('_').at(-1)}`,
    },
    nodes: {
      parent: () => parent && pageCommentNode(view, parent),
      object: () => post && pagePostNode(view, post),
    },
    edges: { comments: (options) => ordered(replies(), options).map((reply) => pageCommentNode(view, reply)) },
  };
}

function isVisible({ visibleAtMs }: PostObject, nowMs: number): boolean {
  return visibleAtMs !== null && visibleAtMs <= nowMs;
}

function commentsOf(view: ContentView, { postId, options }: { postId: string; options: FieldOptions }): GraphNode[] {
  const filter = options.get('filter') ?? 'toplevel';
  if (filter !== 'toplevel' && filter !== 'stream') {
    throw invalidParameter('Param filter must be one of {TOPLEVEL, STREAM}.');
  }
  const comments = view.store
    .all('comment')
    .filter((comment) => comment.postId === postId && (filter === 'stream' || comment.parentId === null));
  return ordered(comments, options).map((comment) => pageCommentNode(view, comment));
}

function ordered(comments: readonly CommentObject[], options: FieldOptions): CommentObject[] {
  const order = options.get('order') ?? 'chronological';
  const sorted = comments.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  if (order === 'chronological' || order === 'ranked') return sorted;
  if (order === 'reverse_chronological') return sorted.reverse();
  throw invalidParameter('Param order must be one of {CHRONOLOGICAL, REVERSE_CHRONOLOGICAL}.');
}

function attachmentsOf({ type, link, mediaUrl, objectId, text }: PostObject) {
  if (type === 'TEXT') return undefined;
  const url = link ?? mediaUrl ?? '';
  const kind = { LINK: ['link', 'share'], VIDEO: ['video', 'video_inline'], REELS: ['video', 'video_inline'] }[
    String(type)
  ] ?? ['photo', 'photo'];
  const target = { url, ...(objectId !== null && { id: objectId }) };
  const image = mediaUrl !== null && { media: { image: { src: mediaUrl, width: 720, height: 720 } } };
  return { data: [{ media_type: kind[0], type: kind[1], title: text ?? undefined, url, target, ...image }] };
}
