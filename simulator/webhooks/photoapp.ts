import type { JsonObject, WebhookItem } from './item.ts';
import { messagingItem, type MessagingFacts } from './messaging-item.ts';

export interface PhotoappMessage extends MessagingFacts {
  readonly id: string;
  readonly text?: string;
  readonly extra?: JsonObject;
}

export interface PhotoappComment {
  readonly accountId: string;
  readonly id: string;
  readonly from: string;
  readonly username?: string;
  readonly text?: string;
  readonly mediaId?: string;
  readonly parentId?: string;
  readonly atMs: number;
  /** `changes` for Page logins, `entry` for photoapp logins. */
  readonly shape: 'changes' | 'entry';
  readonly isLive?: boolean;
}

export function photoappMessage(message: PhotoappMessage): WebhookItem {
  return messagingItem('photoapp', message, {
    platformMessageId: message.id,
    fields: {
      message: {
        mid: message.id,
        ...(message.text !== undefined && { text: message.text }),
        ...(message.isEcho && { is_echo: true }),
        ...message.extra,
      },
    },
  });
}

export function photoappReaction(
  reaction: MessagingFacts & { readonly id: string; readonly verb?: string },
): WebhookItem {
  const action = reaction.verb ?? 'react';
  const chosen = action === 'react' ? { reaction: 'love', emoji: '\u2764\ufe0f' } : {};
  return messagingItem('photoapp', reaction, {
    platformMessageId: reaction.id,
    fields: { reaction: { mid: reaction.id, action, ...chosen } },
  });
}

export function photoappRead(read: MessagingFacts & { readonly id: string }): WebhookItem {
  return messagingItem('photoapp', read, { platformMessageId: read.id, fields: { read: { mid: read.id } } });
}

export function photoappPostback(
  postback: MessagingFacts & { readonly id: string; readonly title?: string; readonly payload?: string },
): WebhookItem {
  const { id, title = 'Get started', payload = 'GET_STARTED' } = postback;
  return messagingItem('photoapp', postback, {
    platformMessageId: id,
    fields: { postback: { mid: id, title, payload } },
  });
}

export function photoappComment(comment: PhotoappComment): WebhookItem {
  const value = {
    id: comment.id,
    text: comment.text ?? '',
    from: { id: comment.from, username: comment.username ?? 'kerry.fisher' },
    media: { id: comment.mediaId ?? '17918920912340654', media_product_type: comment.isLive ? 'LIVE' : 'FEED' },
    ...(comment.parentId !== undefined && { parent_id: comment.parentId }),
  };
  return {
    product: 'photoapp',
    entryId: comment.accountId,
    entryTime: Math.floor(comment.atMs / 1000),
    platformMessageId: comment.id,
    place: { in: comment.shape, field: comment.isLive ? 'live_comments' : 'comments', value },
  };
}

export function photoappOther(other: {
  readonly accountId: string;
  readonly field: string;
  readonly value: JsonObject;
  readonly atMs: number;
  readonly shape?: 'changes' | 'entry';
}): WebhookItem {
  return {
    product: 'photoapp',
    entryId: other.accountId,
    entryTime: Math.floor(other.atMs / 1000),
    platformMessageId: null,
    place: { in: other.shape ?? 'changes', field: other.field, value: other.value },
  };
}
