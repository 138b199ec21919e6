import type { ChannelType } from '../../contract/event-types.ts';
import type { JsonObject, WebhookItem } from './item.ts';

interface MessagingFacts {
  readonly product: Exclude<ChannelType, 'chatapp'>;
  /** Also the entry's id. */
  readonly accountId: string;
  readonly from: string;
  readonly atMs: number;
  /** True if the account itself acted, which swaps sender and recipient. */
  readonly isEcho?: boolean;
}

/** Something that happened in a conversation of a photo account or a Page. */
export function messagingItem(
  { product, accountId, from, atMs, isEcho = false }: MessagingFacts,
  { platformMessageId, fields }: { readonly platformMessageId: string | null; readonly fields: JsonObject },
): WebhookItem {
  const account = { id: accountId };
  const other = { id: from };
  const parties = isEcho ? { sender: account, recipient: other } : { sender: other, recipient: account };
  return {
    product,
    entryId: accountId,
    entryTime: atMs,
    platformMessageId,
    place: { in: 'messaging', item: { ...parties, timestamp: atMs, ...fields } },
  };
}

interface ChangeFacts {
  readonly product: Exclude<ChannelType, 'chatapp'>;
  readonly accountId: string;
  readonly field: string;
  readonly value: JsonObject;
  readonly atMs: number;
  /** `changes` for Page logins, `entry` for photoapp logins. */
  readonly shape?: 'changes' | 'entry';
  readonly platformMessageId?: string;
}

export function changeItem({ product, accountId, field, value, atMs, ...facts }: ChangeFacts): WebhookItem {
  return {
    product,
    entryId: accountId,
    entryTime: Math.floor(atMs / 1000),
    platformMessageId: facts.platformMessageId ?? null,
    place: { in: (product === 'photoapp' && facts.shape) || 'changes', field, value },
  };
}

interface PhotoappComment extends Pick<ChangeFacts, 'accountId' | 'atMs' | 'shape'> {
  readonly id: string;
  readonly from: string;
  readonly username?: string;
  readonly text: string;
  readonly mediaId?: string;
  readonly parentId?: string;
}

export function photoappComment(comment: PhotoappComment): WebhookItem {
  const { id, text, from, username = 'kerry.fisher', mediaId = '17918920912340654', parentId, ...facts } = comment;
  const value = {
    id,
    text,
    from: { id: from, username },
    media: { id: mediaId, media_product_type: 'FEED' },
    ...(parentId !== undefined && { parent_id: parentId }),
  };
  return changeItem({ ...facts, product: 'photoapp', field: 'comments', value, platformMessageId: id });
}

interface FeedFacts {
  readonly pageId: string;
  /** `<post>_<number>` of a comment, `<page>_<number>` of a post. */
  readonly id: string;
  readonly from: string;
  readonly name?: string;
  readonly text?: string;
  /** `add`, `edited`, `remove`, `hide`…; a `remove` has no text. */
  readonly verb?: string;
  readonly atMs: number;
}

interface PageappComment extends FeedFacts {
  readonly postId: string;
  /** The post itself for a top-level comment. */
  readonly parentId?: string;
}

export function pageappComment({ postId, parentId = postId, ...comment }: PageappComment): WebhookItem {
  return feedItem(comment, { item: 'comment', post_id: postId, comment_id: comment.id, parent_id: parentId });
}

export function pageappPost({ item = 'status', ...post }: FeedFacts & { readonly item?: string }): WebhookItem {
  return feedItem(post, { item, post_id: post.id });
}

function feedItem({ pageId, id, from, name = 'Kerry Fisher', text, verb = 'add', atMs }: FeedFacts, ids: JsonObject) {
  const value = {
    from: { id: from, name },
    ...(verb !== 'remove' && text !== undefined && { message: text }),
    ...ids,
    created_time: Math.floor(atMs / 1000),
    verb,
  };
  return changeItem({ product: 'pageapp', accountId: pageId, field: 'feed', value, atMs, platformMessageId: id });
}
