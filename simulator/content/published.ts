import type { ContentStore, PostObject } from './objects/store.ts';
import type { Post } from '../media/store.ts';

export function adoptPost(store: ContentStore, post: Omit<Post, 'containerId'>): void {
  if (store.get('post', post.id)) return;
  store.put<PostObject>({
    ...{ kind: 'post', product: 'photoapp', id: post.id, accountId: post.account, type: post.mediaType },
    text: post.caption,
    link: null,
    mediaUrl: post.parameters['video_url'] ?? post.parameters['image_url'] ?? null,
    permalink: post.permalink,
    createdAtMs: post.postedAtMs,
    isCommentEnabled: true,
    viewerCount: 40,
    objectId: null,
    children: post.children,
    taggedIds: [],
  });
}

export function asMediaPost(post: PostObject): Post | undefined {
  const { id, accountId: account, type, text: caption, permalink, mediaUrl, createdAtMs, children } = post;
  if (post.product !== 'photoapp' || type === 'TEXT' || type === 'LINK') return undefined;
  const isVideo = type === 'REELS' || type === 'VIDEO';
  const parameters = mediaUrl === null ? {} : { [isVideo ? 'video_url' : 'image_url']: mediaUrl };
  const shortcode = permalink.split('/').at(-2) ?? id;
  const facts = { id, account, caption, permalink, shortcode, parameters, children };
  return { ...facts, mediaType: type, postedAtMs: createdAtMs, containerId: '' };
}
