import type { ChannelType, EventType } from '../event-types.ts';

export const typicalEvents = {
  chatapp: 'chatapp.message.received',
  photoapp: 'photoapp.message.received',
  pageapp: 'pageapp.message.received',
} as const satisfies Readonly<Record<ChannelType, EventType>>;

export interface SampleEvent {
  readonly eventType: EventType;
  readonly resourceId: string;
  readonly nonce: string;
  readonly atMs: number;
}

const TEXT = 'This is a test event. No user has sent it.';
const SENDER = 'test-sender';
const POST = 'test-post';

/** All ids except the account's begin with `test`, so that receivers recognize them. */
export function sampleEvent(sample: SampleEvent): string {
  return JSON.stringify(sampleEnvelope(sample));
}

export function sampleEnvelope(sample: SampleEvent): object {
  return makers[sample.eventType](sample);
}

const makers: Readonly<Record<EventType, (sample: SampleEvent) => object>> = {
  'chatapp.message.received': (sample) =>
    chatapp(sample, {
      contacts: [{ profile: { name: 'Test' }, wa_id: SENDER }],
      messages: [{ from: SENDER, id: idOf(sample), timestamp: secondsOf(sample), type: 'text', text: { body: TEXT } }],
    }),
  'chatapp.message.status': (sample) =>
    chatapp(sample, {
      statuses: [{ id: idOf(sample), status: 'delivered', timestamp: secondsOf(sample), recipient_id: SENDER }],
    }),
  'chatapp.other.received': (sample) => chatapp(sample, { event: 'test', note: TEXT }, 'test_updates'),
  'photoapp.message.received': (sample) => messaging('photoapp', sample, textMessage(sample)),
  'photoapp.comment.received': photoComment,
  'photoapp.other.received': (sample) => messaging('photoapp', sample, { read: { mid: idOf(sample) } }),
  'pageapp.message.received': (sample) => messaging('pageapp', sample, textMessage(sample)),
  'pageapp.message.reaction': (sample) =>
    messaging('pageapp', sample, {
      reaction: { mid: idOf(sample), action: 'react', reaction: 'smile', emoji: '\u{1f642}' },
    }),
  'pageapp.message.read': (sample) => messaging('pageapp', sample, { read: { watermark: sample.atMs } }),
  'pageapp.message.delivered': (sample) =>
    messaging('pageapp', sample, { delivery: { mids: [idOf(sample)], watermark: sample.atMs } }),
  'pageapp.postback.received': (sample) =>
    messaging('pageapp', sample, { postback: { mid: idOf(sample), title: 'Get started', payload: 'GET_STARTED' } }),
  'pageapp.comment.received': (sample) => feed(sample, { item: 'comment', comment_id: idOf(sample), post_id: POST }),
  'pageapp.post.changed': (sample) => feed(sample, { item: 'status', post_id: idOf(sample) }),
  'pageapp.other.received': (sample) => change('pageapp', sample, { field: 'test_updates', value: { note: TEXT } }),
};

function chatapp({ resourceId }: SampleEvent, value: object, field = 'messages'): object {
  const metadata = { display_phone_number: 'test-number', phone_number_id: resourceId };
  const item = { field, value: { messaging_product: 'chatapp', metadata, ...value } };
  return { object: 'chatapp', entry: [{ id: 'test-account', changes: [item] }] };
}

type AccountProduct = Exclude<ChannelType, 'chatapp'>;

function messaging(product: AccountProduct, { resourceId, atMs }: SampleEvent, part: object): object {
  const item = { sender: { id: SENDER }, recipient: { id: resourceId }, timestamp: atMs, ...part };
  return { object: product, entry: [{ id: resourceId, time: atMs, messaging: [item] }] };
}

const textMessage = (sample: SampleEvent) => ({ message: { mid: idOf(sample), text: TEXT } });

function change(product: AccountProduct, { resourceId, atMs }: SampleEvent, item: object): object {
  return { object: product, entry: [{ id: resourceId, time: Math.floor(atMs / 1000), changes: [item] }] };
}

function photoComment(sample: SampleEvent): object {
  const from = { id: SENDER, username: SENDER };
  const media = { id: 'test-media', media_product_type: 'FEED' };
  return change('photoapp', sample, { field: 'comments', value: { id: idOf(sample), text: TEXT, from, media } });
}

function feed(sample: SampleEvent, ids: object): object {
  const from = { id: SENDER, name: 'Test' };
  const createdAtSeconds = Math.floor(sample.atMs / 1000);
  const value = { from, message: TEXT, ...ids, created_time: createdAtSeconds, verb: 'add' };
  return change('pageapp', sample, { field: 'feed', value });
}

const idOf = ({ nonce }: SampleEvent): string => `test-${nonce}`;
const secondsOf = ({ atMs }: SampleEvent): string => String(Math.floor(atMs / 1000));
