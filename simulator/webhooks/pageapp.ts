import type { JsonObject, WebhookItem } from './item.ts';
import { messagingItem, type MessagingFacts } from './messaging-item.ts';

export interface PageappMessage extends MessagingFacts {
  readonly id: string;
  readonly text?: string;
  readonly extra?: JsonObject;
}

export function pageappMessage(message: PageappMessage): WebhookItem {
  return messagingItem('pageapp', message, {
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

export function pageappReaction(
  reaction: MessagingFacts & { readonly id: string; readonly verb?: string },
): WebhookItem {
  const { id, verb: action = 'react' } = reaction;
  return messagingItem('pageapp', reaction, {
    platformMessageId: id,
    fields: { reaction: { mid: id, action, reaction: 'smile', emoji: '\u{1f642}' } },
  });
}

/** Names no message, only the time up to which all are read. */
export function pageappRead(read: MessagingFacts): WebhookItem {
  return messagingItem('pageapp', read, { platformMessageId: null, fields: { read: { watermark: read.atMs } } });
}

/** The platform may omit the message ids. */
export function pageappDelivery(delivery: MessagingFacts & { readonly ids?: readonly string[] }): WebhookItem {
  return messagingItem('pageapp', delivery, {
    platformMessageId: delivery.ids?.[0] ?? null,
    fields: { delivery: { ...(delivery.ids && { mids: delivery.ids }), watermark: delivery.atMs } },
  });
}

export function pageappPostback(
  postback: MessagingFacts & { readonly id: string; readonly title?: string; readonly payload?: string },
): WebhookItem {
  const { id, title = 'Get started', payload = 'GET_STARTED' } = postback;
  return messagingItem('pageapp', postback, {
    platformMessageId: id,
    fields: { postback: { mid: id, title, payload } },
  });
}
