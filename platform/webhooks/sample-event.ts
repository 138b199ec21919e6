import type { ChannelType, EventType } from '../../contract/event-types.ts';
import { chatappWordField, neutralChatappWord } from '../client/chatapp-word.ts';

export type SampledEventType = Extract<
  EventType,
  | 'chatapp.message.received'
  | 'chatapp.message.status'
  | 'photoapp.message.received'
  | 'photoapp.comment.received'
  | 'pageapp.message.received'
>;

export const typicalEvents: Readonly<Record<ChannelType, SampledEventType>> = {
  chatapp: 'chatapp.message.received',
  photoapp: 'photoapp.message.received',
  pageapp: 'pageapp.message.received',
};

export interface SampleEvent {
  readonly eventType: SampledEventType;
  readonly resourceId: string;
  readonly nonce: string;
  readonly atMs: number;
}

const TEXT = 'This is a test event. No user has sent it.';
const SENDER = 'test-sender';

/** All ids except the account's begin with `test`, so that receivers recognize them. */
export function sampleEvent(sample: SampleEvent): string {
  return JSON.stringify(envelopeOf(sample));
}

function envelopeOf(sample: SampleEvent): object {
  switch (sample.eventType) {
    case 'chatapp.message.received':
      return chatapp(sample, {
        contacts: [{ profile: { name: 'Test' }, wa_id: SENDER }],
        messages: [
          { from: SENDER, id: idOf(sample), timestamp: secondsOf(sample), type: 'text', text: { body: TEXT } },
        ],
      });
    case 'chatapp.message.status':
      return chatapp(sample, {
        statuses: [{ id: idOf(sample), status: 'delivered', timestamp: secondsOf(sample), recipient_id: SENDER }],
      });
    case 'photoapp.message.received':
      return message('photoapp', sample);
    case 'pageapp.message.received':
      return message('pageapp', sample);
    case 'photoapp.comment.received':
      return comment(sample);
  }
}

function chatapp({ resourceId }: SampleEvent, value: object): object {
  const metadata = { display_phone_number: 'test-number', phone_number_id: resourceId };
  const change = { field: 'messages', value: { [chatappWordField]: neutralChatappWord, metadata, ...value } };
  return { object: 'chatapp', entry: [{ id: 'test-account', changes: [change] }] };
}

function message(product: 'photoapp' | 'pageapp', sample: SampleEvent): object {
  const { resourceId, atMs } = sample;
  const item = {
    sender: { id: SENDER },
    recipient: { id: resourceId },
    timestamp: atMs,
    message: { mid: idOf(sample), text: TEXT },
  };
  return { object: product, entry: [{ id: resourceId, time: atMs, messaging: [item] }] };
}

function comment(sample: SampleEvent): object {
  const value = {
    id: idOf(sample),
    text: TEXT,
    from: { id: SENDER, username: SENDER },
    media: { id: 'test-media', media_product_type: 'FEED' },
  };
  const entry = {
    id: sample.resourceId,
    time: Math.floor(sample.atMs / 1000),
    changes: [{ field: 'comments', value }],
  };
  return { object: 'photoapp', entry: [entry] };
}

const idOf = ({ nonce }: SampleEvent): string => `test-${nonce}`;
const secondsOf = ({ atMs }: SampleEvent): string => String(Math.floor(atMs / 1000));
