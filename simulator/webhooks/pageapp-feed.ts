import type { JsonObject, WebhookItem } from './item.ts';

interface FeedFacts {
  readonly pageId: string;
  readonly from: string;
  readonly name?: string;
  readonly text?: string;
  /** `add`, `edited`, `remove`, `hide`…; a `remove` has no text. */
  readonly verb?: string;
  readonly atMs: number;
}

export interface PageappFeedComment extends FeedFacts {
  /** `<post>_<number>` */
  readonly id: string;
  readonly postId: string;
  /** The post itself for a top-level comment. */
  readonly parentId?: string;
}

export interface PageappFeedPost extends FeedFacts {
  /** `<page>_<number>` */
  readonly id: string;
  readonly item?: string;
}

export function pageappFeedComment(comment: PageappFeedComment): WebhookItem {
  return feedItem(comment, comment.id, {
    item: 'comment',
    post_id: comment.postId,
    comment_id: comment.id,
    parent_id: comment.parentId ?? comment.postId,
  });
}

export function pageappFeedPost(post: PageappFeedPost): WebhookItem {
  return feedItem(post, post.id, { item: post.item ?? 'status', post_id: post.id });
}

export function pageappOther(other: {
  readonly pageId: string;
  readonly field: string;
  readonly value: JsonObject;
  readonly atMs: number;
}): WebhookItem {
  return {
    product: 'pageapp',
    entryId: other.pageId,
    entryTime: Math.floor(other.atMs / 1000),
    platformMessageId: null,
    place: { in: 'changes', field: other.field, value: other.value },
  };
}

function feedItem(facts: FeedFacts, platformMessageId: string, ids: JsonObject): WebhookItem {
  const verb = facts.verb ?? 'add';
  const createdAtSeconds = Math.floor(facts.atMs / 1000);
  return {
    product: 'pageapp',
    entryId: facts.pageId,
    entryTime: createdAtSeconds,
    platformMessageId,
    place: {
      in: 'changes',
      field: 'feed',
      value: {
        from: { id: facts.from, name: facts.name ?? 'Kerry Fisher' },
        ...(verb !== 'remove' && facts.text !== undefined && { message: facts.text }),
        ...ids,
        created_time: createdAtSeconds,
        verb,
      },
    },
  };
}
