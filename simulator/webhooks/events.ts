import { z } from 'zod';
import { channelTypes, type ChannelType } from '../../contract/event-types.ts';
import { changeItem, messagingItem, pageappComment, pageappPost, photoappComment } from './accounts.ts';
import { chatappMessage, chatappOther, chatappStatus } from './chatapp.ts';
import type { JsonObject, WebhookItem } from './item.ts';
import { newMessageId, newNumericId } from './platform-ids.ts';

const text = z.string().min(1);

/**
 * The webhooks to create, and how to send them. Several senders take turns. An unknown `kind` becomes a change of that
 * field.
 */
export const controlEvent = z.strictObject({
  product: z.enum(channelTypes),
  kind: text,
  resourceId: text,
  from: z.union([text, z.array(text).min(1)]).default('15551230001'),
  text: z.string().default('Hello from the simulator'),
  /** Beyond one, texts end in ` #<n>`. */
  count: z.int().min(1).max(100_000).default(1),
  /** Posts the same bytes twice. */
  duplicate: z.boolean().default(false),
  realWords: z.boolean().default(false),
  platformMessageId: z.string().optional(),
  shape: z.enum(['changes', 'entry']).default('changes'),
  atMs: z.int().optional(),
});

export type ControlEventInput = z.input<typeof controlEvent>;
export type ControlEvent = z.output<typeof controlEvent>;

export interface EventSource {
  readonly nowMs: number;
  /** Returns the business account of a number. */
  readonly businessOf: (numberId: string) => string;
}

interface Facts {
  readonly account: string;
  readonly from: string;
  readonly text: string;
  readonly atMs: number;
  readonly id: string | undefined;
  readonly event: ControlEvent;
  readonly businessOf: EventSource['businessOf'];
}

/** One item a millisecond. */
export function eventItems(event: ControlEvent, { nowMs, businessOf }: EventSource): readonly WebhookItem[] {
  const senders = [event.from].flat();
  return Array.from({ length: event.count }, (_, index) =>
    itemOf({
      account: event.resourceId,
      from: senders[index % senders.length]!,
      text: event.count === 1 ? event.text : `${event.text} #${index + 1}`,
      atMs: (event.atMs ?? nowMs) + index,
      id: event.platformMessageId,
      event,
      businessOf,
    }),
  );
}

function itemOf(facts: Facts): WebhookItem {
  return facts.event.product === 'chatapp' ? chatappItem(facts) : accountItem(facts, facts.event.product);
}

function chatappItem({ account, from, text: words, atMs, id = newMessageId('chatapp'), event, businessOf }: Facts) {
  const number = { phoneNumberId: account, accountId: businessOf(account) };
  const { kind } = event;
  if (kind === 'message') return chatappMessage({ ...number, id, from, text: words, atMs });
  if (kind === 'status') return chatappStatus({ ...number, id, recipient: from, status: 'delivered', atMs });
  return chatappOther({ ...number, field: kind, value: note(kind, words), atMs });
}

function accountItem({ account, from, text: words, atMs, id, event }: Facts, product: Exclude<ChannelType, 'chatapp'>) {
  const { kind, shape } = event;
  const mid = id ?? newMessageId(product);
  const messaging = (fields: JsonObject, platformMessageId: string | null = mid): WebhookItem =>
    messagingItem({ product, accountId: account, from, atMs }, { platformMessageId, fields });
  const postId = `${account}_${newNumericId()}`;

  switch (`${product} ${kind}`) {
    case 'photoapp message':
    case 'pageapp message':
      return messaging({ message: { mid, text: words } });
    case 'photoapp postback':
    case 'pageapp postback':
      return messaging({ postback: { mid, title: 'Get started', payload: 'GET_STARTED' } });
    case 'photoapp reaction':
      return messaging({ reaction: { mid, action: 'react', reaction: 'love', emoji: '\u2764\ufe0f' } });
    case 'pageapp reaction':
      return messaging({ reaction: { mid, action: 'react', reaction: 'smile', emoji: '\u{1f642}' } });
    case 'photoapp read':
      return messaging({ read: { mid } });
    // Names no message, only the time up to which all are read.
    case 'pageapp read':
      return messaging({ read: { watermark: atMs } }, null);
    // The platform may omit the message ids.
    case 'pageapp delivery':
      return messaging({ delivery: { ...(id !== undefined && { mids: [id] }), watermark: atMs } }, id ?? null);
    case 'photoapp comment':
      return photoappComment({ accountId: account, id: id ?? newNumericId(), from, text: words, atMs, shape });
    case 'pageapp comment': {
      const commentId = id ?? `${postId.split('_').at(-1)}_${newNumericId()}`;
      return pageappComment({ pageId: account, id: commentId, postId, from, text: words, atMs });
    }
    case 'pageapp post':
      return pageappPost({ pageId: account, id: id ?? postId, from, text: words, atMs });
    default:
      return changeItem({ product, accountId: account, field: kind, value: note(kind, words), atMs, shape });
  }
}

function note(event: string, words: string): JsonObject {
  return { event, note: words };
}
