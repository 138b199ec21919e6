import test from 'ava';
import fc from 'fast-check';
import { keysOf } from '../../harness/envelope/split-items.ts';
import { rawJson } from '../../harness/envelope/split-raw-json.ts';

const ENTRY_TIME = 1_700_000_000;
const parties = { sender: { id: 'user1' }, recipient: { id: 'acc1' }, timestamp: 1_700_000_000_123 };

interface Place {
  readonly object: string;
  /** An item in a list of the entry, or a change. */
  readonly list?: 'messaging' | 'standby';
  readonly field?: string;
  /** A list of the change's value. */
  readonly valueList?: string;
}

const messaging = { object: 'instagram', list: 'messaging' } as const;
const feed = { object: 'page', field: 'feed' } as const;
const chatapp = (valueList: string, field = 'messages'): Place => ({
  object: 'whatsapp_business_account',
  field,
  valueList,
});

/** An envelope whose items are JSON texts. */
function envelopeOf({ object, list, field, valueList }: Place, items: readonly string[], time = ENTRY_TIME): string {
  const changes = items.map((item) => {
    const value = valueList ? `{"metadata":{"phone_number_id":"acc1"},"${valueList}":[${item}]}` : item;
    return `{"field":"${field}","value":${value}}`;
  });
  const members = list ? `"${list}":[${items.join()}]` : `"changes":[${changes.join()}]`;
  return `{"object":"${object}","entry":[{"id":"acc1","time":${time},${members}}]}`;
}

function keyOf(place: Place, item: object | string, time?: number): string {
  const [key, ...others] = keysOf(envelopeOf(place, [typeof item === 'string' ? item : JSON.stringify(item)], time));
  if (key === undefined || others.length > 0) throw new Error('The envelope must have one item');
  return key;
}

const comment = { item: 'comment', post_id: 'p', comment_id: 'c', from: { id: 'u' }, created_time: 9 };
const reaction = { item: 'reaction', verb: 'add', reaction_type: 'like', post_id: 'p', created_time: 9 };

/** One item of each kind, and whether equal ones of two entries are one event. */
const kinds: readonly { readonly place: Place; readonly item: object; readonly isTimed: boolean }[] = [
  { place: chatapp('messages'), item: { from: '49', id: 'm', timestamp: '1', type: 'text' }, isTimed: true },
  { place: chatapp('statuses'), item: { id: 'm', status: 'read', timestamp: '1', recipient_id: 'g' }, isTimed: true },
  { place: chatapp('statuses', 'calls'), item: { id: 'c', status: 'RINGING', timestamp: '1' }, isTimed: true },
  { place: { object: 'whatsapp_business_account', field: 'account_update' }, item: { event: 'X' }, isTimed: false },
  { place: messaging, item: { ...parties, message: { mid: 'm', text: 'x' } }, isTimed: true },
  { place: messaging, item: { ...parties, message: { mid: 'm', is_deleted: 'true' } }, isTimed: true },
  { place: messaging, item: { ...parties, message_edit: { mid: 'm', text: 'x', num_edit: 1 } }, isTimed: true },
  { place: messaging, item: { ...parties, reaction: { mid: 'm', action: 'react' } }, isTimed: false },
  { place: messaging, item: { ...parties, read: { mid: 'm' } }, isTimed: true },
  { place: messaging, item: { ...parties, postback: { mid: 'm', payload: 'p' } }, isTimed: true },
  { place: messaging, item: { ...parties, optin: { ref: 'r' } }, isTimed: true },
  { place: messaging, item: { sender: { id: 'a' }, recipient: { id: 'b' }, optin: {} }, isTimed: false },
  { place: { object: 'page', list: 'standby' }, item: { ...parties, message: { mid: 'm' } }, isTimed: true },
  { place: { object: 'instagram', field: 'comments' }, item: { id: 'c', text: 'x', from: { id: 'u' } }, isTimed: true },
  { place: { object: 'instagram', field: 'story_insights' }, item: { media_id: '1', reach: 1 }, isTimed: false },
  { place: feed, item: { ...comment, verb: 'add' }, isTimed: true },
  { place: feed, item: { ...comment, verb: 'edited', message: 'x' }, isTimed: false },
  { place: feed, item: { ...comment, verb: 'hide' }, isTimed: false },
  { place: feed, item: { ...comment, verb: 'remove' }, isTimed: false },
  { place: feed, item: { item: 'status', verb: 'add', post_id: 'p', created_time: 9 }, isTimed: true },
  { place: feed, item: reaction, isTimed: false },
  { place: { object: 'page', field: 'leadgen' }, item: { leadgen_id: '1', created_time: 9 }, isTimed: true },
  { place: { object: 'page', field: 'name' }, item: { name: 'A' }, isTimed: false },
];

for (const { place, item, isTimed } of kinds) {
  const text = JSON.stringify(item);
  test(`a redelivery keeps its key: ${text}`, (t) => {
    const others = [JSON.stringify({ ...item, other: 1 }), text, JSON.stringify({ ...item, other: 2 })];
    const key = keyOf(place, text);
    t.is(keyOf(place, text), key);
    t.is(keysOf(envelopeOf(place, others))[1], key);
    t.is(keyOf(place, text, ENTRY_TIME + 1) === key, isTimed);
  });

  test(`values that differ in a byte differ in key: ${text}`, (t) => {
    const member = fc.tuple(fc.constantFrom(...Object.keys(item), 'else'), rawJson);
    const property = fc.property(member, member, ([name, value], [otherName, otherValue]) => {
      const one = withMember(item, name, value);
      const other = withMember(item, otherName, otherValue);
      if (one !== other && !isSameMessage(one, other)) t.not(keyOf(place, one), keyOf(place, other), `${one} ${other}`);
    });
    fc.assert(property, { numRuns: 100 });
  });
}

test('items of two kinds have different keys', (t) => {
  t.is(new Set(kinds.map(({ place, item }) => keyOf(place, item))).size, kinds.length);
});

function withMember(item: object, name: string, value: string): string {
  const members = Object.entries(item).filter(([key]) => key !== name);
  return `{${[...members.map(([key, kept]) => `"${key}":${JSON.stringify(kept)}`), `"${name}":${value}`].join()}}`;
}

/** The one exception: what is around a message may be written differently. */
function isSameMessage(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => {
    const { timestamp, ...rest } = JSON.parse(text) as { timestamp?: unknown; message?: unknown };
    const isPlain = typeof timestamp === 'number' || typeof timestamp === 'string';
    return rest.message && isPlain ? JSON.stringify([String(timestamp), rest]) : text;
  });
  return first === second;
}

const message = { ...parties, message: { mid: 'm', text: 'x' } };

test('a message in a change and in the messaging list is one', (t) => {
  const { message: own, timestamp, recipient, sender } = message;
  const change = { recipient, sender, timestamp: String(timestamp), message: own };
  for (const object of ['instagram', 'page']) {
    const key = keyOf({ object, list: 'messaging' }, message);
    t.is(keyOf({ object, field: 'messages' }, change, ENTRY_TIME + 60), key);
  }
});

test('a deleted, edited, echoed or passed message is another item', (t) => {
  const items = [
    message,
    { ...message, message: { ...message.message, text: 'y' } },
    { ...message, timestamp: parties.timestamp + 1 },
    ...[true, 'true', 1].flatMap((flag) =>
      ['is_deleted', 'is_edited', 'is_echo'].map((name) => ({ ...message, message: { mid: 'm', [name]: flag } })),
    ),
    { ...message, hop_context: [] },
  ];
  const change = { object: 'instagram', field: 'messages' };
  t.is(new Set(items.map((item) => keyOf(messaging, item))).size, items.length);
  for (const item of items.slice(0, -1)) t.is(keyOf(change, item), keyOf(messaging, item));
});

test('a reaction that is taken back and given again is three events', (t) => {
  const react = { ...parties, reaction: { mid: 'm', action: 'react', emoji: 'x' } };
  const unreact = { ...parties, reaction: { mid: 'm', action: 'unreact' } };
  const inTurn = [react, unreact, react].map((item, index) => keyOf(messaging, item, ENTRY_TIME + index));
  t.is(new Set(inTurn).size, 3);
  const feedItems = [reaction, { ...reaction, verb: 'remove' }, reaction];
  t.is(new Set(feedItems.map((item, index) => keyOf(feed, item, ENTRY_TIME + index))).size, 3);
});

test('changes to and fro within one entry are separate', (t) => {
  const toAndFro = [
    {
      place: feed,
      items: [
        { ...comment, verb: 'hide' },
        { ...comment, verb: 'unhide' },
      ],
    },
    { place: { object: 'page', field: 'name' }, items: [{ name: 'A' }, { name: 'B' }] },
    { place: messaging, items: ['react', 'unreact'].map((action) => ({ ...parties, reaction: { mid: 'm', action } })) },
    { place: chatapp('errors'), items: [{ code: 1 }, { code: 2 }] },
  ];
  for (const { place, items } of toAndFro) {
    const texts: string[] = [...items, ...items].map((item) => JSON.stringify(item));
    const keys = keysOf(envelopeOf(place, texts));
    t.is(new Set(keys).size, 4);
    t.deepEqual(keysOf(envelopeOf(place, texts)), keys, 'a redelivery of the envelope');
    t.is(keys[0], keyOf(place, texts[0] ?? ''), 'a redelivery of the item alone');
  }
});

test('a repeated item with an id stays a duplicate within an envelope', (t) => {
  for (const { place, item } of kinds.filter(({ isTimed }) => isTimed)) {
    const text = JSON.stringify(item);
    t.is(new Set(keysOf(envelopeOf(place, [text, text]))).size, 1, text);
  }
});

test('statuses of two group members without a phone number differ', (t) => {
  const status = { id: 'm', status: 'read', timestamp: '1', recipient_id: 'g', recipient_type: 'group' };
  const keys = ['US.1', 'US.2'].map((user) =>
    keyOf(chatapp('statuses'), { ...status, recipient_participant_user_id: user }),
  );
  t.is(new Set(keys).size, 2);
});
