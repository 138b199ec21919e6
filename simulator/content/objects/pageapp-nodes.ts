import type { FieldOptions, GraphNode } from './fields.ts';
import type { AccountObject, CommentObject, PostObject, UploadObject } from './store.ts';
import { conversations } from './threads.ts';
import { platformTime } from '../../scripted-api/platform-time.ts';
import { photoAccountNode, type ContentView } from './photoapp-nodes.ts';

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
  const { store } = view;
  const { id, name, category, followerCount } = page;
  const url = `https://cdn.pageapp.example/${id}/picture.jpg`;
  const posts = (): GraphNode[] =>
    store
      .all('post')
      .filter(({ accountId }) => accountId === id)
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
      .reverse()
      .map((post) => pagePostNode(view, post));
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
      picture: { data: { height: 50, is_silhouette: false, url, width: 50 } },
      access_token: view.token,
    },
    nodes: {
      [LINKED_PHOTO]: () => {
        const photo = store.get('account', page.linkedId ?? '');
        return photo && photoAccountNode(view, photo);
      },
    },
    edges: {
      posts,
      published_posts: posts,
      feed: posts,
      conversations: (options) => conversations(store, page, options),
    },
  };
}

export function pagePostNode(view: ContentView, post: PostObject): GraphNode {
  const page = view.store.get('account', post.accountId);
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
      full_picture: post.mediaUrl ?? undefined,
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
    },
    nodes: {
      parent: () => parent && pageCommentNode(view, parent),
      object: () => post && pagePostNode(view, post),
    },
    edges: { comments: () => replies().map((reply) => pageCommentNode(view, reply)) },
  };
}

/** Includes the replies on request. */
function commentsOf(view: ContentView, { postId, options }: { postId: string; options: FieldOptions }): GraphNode[] {
  return view.store
    .all('comment')
    .filter((comment) => comment.postId === postId)
    .filter(({ parentId }) => options.get('filter') === 'stream' || parentId === null)
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .map((comment) => pageCommentNode(view, comment));
}

export function uploadNode({ store }: ContentView, upload: UploadObject): GraphNode {
  const { id, type, accountId, fileUrl, postId, createdAtMs } = upload;
  const common = {
    created_time: platformTime(createdAtMs),
    from: { name: store.get('account', accountId)?.name, id: accountId },
    picture: fileUrl ?? undefined,
  };
  const defaults = ['created_time', 'id'];
  if (type === 'photo') return { id, type: 'Photo', defaults, fields: { ...common, page_story_id: postId } };
  // A reel has a path instead of an address.
  const permalink = type === 'reel' ? `/reel/${id}/` : `https://www.pageapp.example/${accountId}/videos/${id}`;
  return { id, type: 'Video', defaults, fields: { ...common, permalink_url: permalink, post_id: postId ?? undefined } };
}
