import type { ChannelType } from '../../contract/event-types.ts';
import type { ControlEvent } from './control-event.ts';
import { newMessageId, newNumericId } from './platform-ids.ts';
import {
  chatappCall,
  chatappContact,
  chatappHistory,
  chatappMessage,
  chatappOther,
  chatappPreference,
  chatappStatus,
} from './chatapp.ts';
import type { WebhookItem } from './item.ts';
import { pageappFeedComment, pageappFeedPost, pageappOther } from './pageapp-feed.ts';
import { pageappDelivery, pageappMessage, pageappPostback, pageappReaction, pageappRead } from './pageapp.ts';
import {
  photoappComment,
  photoappMessage,
  photoappOther,
  photoappPostback,
  photoappReaction,
  photoappRead,
} from './photoapp.ts';

export interface EventSource {
  readonly nowMs: number;
  /** Returns the business account of a number. */
  readonly businessOf: (numberId: string) => string;
}

type Facts = ReturnType<typeof factsOf>;

const makers: Readonly<Record<ChannelType, Readonly<Record<string, (facts: Facts) => WebhookItem>>>> = {
  chatapp: {
    message: chatappMessage,
    status: chatappStatus,
    call: chatappCall,
    preference: chatappPreference,
    contact: chatappContact,
    history: chatappHistory,
  },
  photoapp: {
    message: photoappMessage,
    reaction: photoappReaction,
    read: photoappRead,
    postback: photoappPostback,
    comment: photoappComment,
  },
  pageapp: {
    message: pageappMessage,
    reaction: pageappReaction,
    read: pageappRead,
    delivery: pageappDelivery,
    postback: pageappPostback,
    comment: pageappFeedComment,
    post: pageappFeedPost,
  },
};

const others: Readonly<Record<ChannelType, (facts: Facts) => WebhookItem>> = {
  chatapp: chatappOther,
  photoapp: photoappOther,
  pageapp: pageappOther,
};

export function eventItems(event: ControlEvent, source: EventSource): readonly WebhookItem[] {
  const kinds = makers[event.product];
  const make = Object.hasOwn(kinds, event.kind) ? kinds[event.kind] : undefined;
  return Array.from({ length: event.count }, (_, index) =>
    (make ?? others[event.product])(factsOf(event, index, source)),
  );
}

function factsOf(event: ControlEvent, index: number, { nowMs, businessOf }: EventSource) {
  const resourceId = inTurn(event.resourceId, index);
  const from = inTurn(event.from, index);
  const postId = event.postId ?? `${resourceId}_${newNumericId()}`;
  return {
    phoneNumberId: resourceId,
    pageId: resourceId,
    accountId: event.product === 'chatapp' ? (event.accountId ?? businessOf(resourceId)) : resourceId,
    from,
    recipient: from,
    ...(event.name !== undefined && { name: event.name }),
    id: event.platformMessageId ?? newId(event, postId),
    field: event.kind,
    value: event.extra ?? { event: event.kind, note: textOf(event, index) },
    text: textOf(event, index),
    status: event.status,
    postId,
    ...(event.postId !== undefined && { mediaId: event.postId }),
    ...(event.platformMessageId !== undefined && { ids: [event.platformMessageId] }),
    ...(event.parentId !== undefined && { parentId: event.parentId }),
    ...(event.verb !== undefined && { verb: inTurn(event.verb, index) }),
    ...(event.extra && { extra: event.extra }),
    shape: event.shape,
    isEcho: event.isEcho,
    isStandby: event.isStandby,
    atMs: (event.atMs ?? nowMs) + index * event.stepMs,
  };
}

function newId({ product, kind }: ControlEvent, postId: string): string {
  if (kind === 'post') return postId;
  if (kind !== 'comment') return newMessageId(product);
  if (product === 'photoapp') return newNumericId();
  return `${postId.split('_').at(-1) ?? postId}_${newNumericId()}`;
}

function textOf({ text, count }: ControlEvent, index: number): string {
  return count === 1 ? text : `${text} #${index + 1}`;
}

function inTurn(values: string | readonly string[], index: number): string {
  if (typeof values === 'string') return values;
  return values[index % values.length] ?? '';
}
