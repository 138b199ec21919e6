import { type FieldOptions, type GraphNode, platformTime } from './fields.ts';
import { newestFirst, photoAccountNode } from './photoapp-nodes.ts';
import type { AccountObject, CommentObject, ContentStore, PostObject, UploadObject } from './store.ts';
import { conversations } from './thread-nodes.ts';

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

export function pageNode(store: ContentStore, page: AccountObject): GraphNode {
  const { id, name, category, followerCount } = page;
  const posts = (): GraphNode[] =>
    newestFirst(store.all('post').filter(({ accountId }) => accountId === id)).map((post) => pagePostNode(store, post));
  return {
    id,
    type: 'Page',
    defaults: ['name', 'id'],
    fields: {
      name,
      category,
      followers_count: followerCount,
      link: `https://www.pageapp.example/${id}`,
      username: page.username ?? undefined,
      picture: { data: { url: `https://cdn.pageapp.example/${id}/picture.jpg` } },
    },
    nodes: {
      [LINKED_PHOTO]: () => {
        const photo = store.get('account', page.linkedId ?? '');
        return photo && photoAccountNode(store, photo);
      },
    },
    edges: { posts, feed: posts, conversations: (options) => conversations(store, page, options) },
  };
}

export function pagePostNode(store: ContentStore, post: PostObject): GraphNode {
  const page = store.get('account', post.accountId);
  return {
    id: post.id,
    type: 'Post',
    defaults: ['created_time', 'message', 'id'],
    fields: {
      created_time: platformTime(post.createdAtMs),
      message: post.text ?? undefined,
      from: { name: page?.name, id: post.accountId },
      permalink_url: post.permalink,
      status_type: statusTypes[post.type],
    },
    edges: { comments: (options) => commentsOf(store, { postId: post.id, options }) },
  };
}

export function pageCommentNode(store: ContentStore, comment: CommentObject): GraphNode {
  const parent = store.get('comment', comment.parentId ?? '');
  const post = store.get('post', comment.postId);
  return {
    id: comment.id,
    type: 'Comment',
    defaults: ['created_time', 'from', 'message', 'id'],
    fields: {
      created_time: platformTime(comment.createdAtMs),
      from: { name: comment.from.name, id: comment.from.id },
      message: comment.text,
      is_hidden: comment.isHidden,
    },
    nodes: {
      parent: () => parent && pageCommentNode(store, parent),
      object: () => post && pagePostNode(store, post),
    },
  };
}

/** Includes the replies on request. */
function commentsOf(store: ContentStore, { postId, options }: { postId: string; options: FieldOptions }): GraphNode[] {
  return store
    .all('comment')
    .filter((comment) => comment.postId === postId)
    .filter(({ parentId }) => options.get('filter') === 'stream' || parentId === null)
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .map((comment) => pageCommentNode(store, comment));
}

export function uploadNode(store: ContentStore, upload: UploadObject): GraphNode {
  const { id, type, accountId, createdAtMs } = upload;
  const common = {
    created_time: platformTime(createdAtMs),
    from: { name: store.get('account', accountId)?.name, id: accountId },
  };
  const defaults = ['created_time', 'id'];
  if (type === 'photo') return { id, type: 'Photo', defaults, fields: common };
  // A reel has a path instead of an address.
  const permalink = type === 'reel' ? `/reel/${id}/` : `https://www.pageapp.example/${accountId}/videos/${id}`;
  return { id, type: 'Video', defaults, fields: { ...common, permalink_url: permalink } };
}
