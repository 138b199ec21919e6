import test from 'ava';
import { itemsOf, keysOf } from '../../harness/envelope/split-items.ts';

const feed = (value: object, time = 1): object => ({
  object: 'page',
  entry: [{ id: 'page1', time, changes: [{ field: 'feed', value }] }],
});
const messaging = (object: string, ...items: object[]): object => ({
  object,
  entry: [{ id: 'acc1', time: 1700000000000, messaging: items }],
});
const parties = { sender: { id: 'user1' }, recipient: { id: 'acc1' }, timestamp: 1700000000123 };
const chatapp = (value: object, field = 'messages'): object => ({
  object: 'whatsapp_business_account',
  entry: [{ id: 'waba1', changes: [{ field, value }] }],
});
const metadata = { display_phone_number: '15550001', phone_number_id: '1066' };

test("a chatapp message has its number's resource and its sender's conversation", (t) => {
  const message = { from: '4917', id: 'wamid.A|1', timestamp: '1700000000', type: 'text', text: { body: 'hi' } };
  const value = {
    messaging_product: 'whatsapp',
    metadata,
    contacts: [{ profile: { name: 'Jo' }, wa_id: '4917' }],
    messages: [message],
  };
  const [item] = itemsOf(chatapp(value));
  t.like(item, {
    channelType: 'chatapp',
    resourceId: '1066',
    eventType: 'chatapp.message.received',
    conversation: '4917',
    sender: '4917',
    platformMessageId: 'wamid.A|1',
  });
});

test('messages of a chatapp group share a conversation', (t) => {
  const messages = ['1', '2'].map((from) => ({ from, group_id: 'g', id: `m${from}` }));
  const items = itemsOf(chatapp({ metadata, messages }));
  t.deepEqual(
    items.map(({ conversation, sender }) => [conversation, sender]),
    [
      ['g', '1'],
      ['g', '2'],
    ],
  );
});

test('statuses of a chatapp message differ and have no sender', (t) => {
  const statuses = [
    { id: 'm', status: 'sent', timestamp: '1', recipient_id: '49' },
    { id: 'm', status: 'read', timestamp: '2', recipient_id: '49', pricing: { billable: true } },
  ];
  const items = itemsOf(chatapp({ metadata, statuses }));
  t.like(items[0], {
    eventType: 'chatapp.message.status',
    sender: null,
    conversation: '49',
    platformMessageId: 'm',
  });
});

test("the field decides the type, not the list's name", (t) => {
  const status = { id: 'wacid.1', type: 'call', status: 'RINGING', timestamp: '1', recipient_id: '49' };
  const message = { id: 'wamid.1', from: '49', timestamp: '1', type: 'text' };
  const typeOf = (value: object, field: string): unknown =>
    itemsOf(chatapp({ metadata, ...value }, field)).map(({ eventType }) => eventType)[0];
  t.is(typeOf({ statuses: [status] }, 'messages'), 'chatapp.message.status');
  t.is(typeOf({ messages: [message] }, 'messages'), 'chatapp.message.received');
  for (const field of ['calls', 'group_lifecycle_update', 'never_seen']) {
    t.is(typeOf({ statuses: [status] }, field), 'chatapp.other.received');
    t.is(typeOf({ messages: [message] }, field), 'chatapp.other.received');
  }
  t.like(itemsOf(chatapp({ metadata, statuses: [status] }, 'calls'))[0], {
    conversation: '49',
    platformMessageId: 'wacid.1',
  });
});

test('a chatapp notice needs a phone number to reach a channel', (t) => {
  const notice = chatapp({ event: 'APPROVED', message_template_id: 1 }, 'message_template_status_update');
  t.like(itemsOf(notice)[0], { channelType: 'chatapp', resourceId: null, eventType: 'chatapp.other.received' });
  t.like(itemsOf(chatapp({ metadata, calls: [{ id: 'c' }] }, 'calls'))[0], {
    resourceId: '1066',
    eventType: 'chatapp.other.received',
  });
});

test('both envelope shapes of a photoapp comment are equivalent', (t) => {
  const value = { id: 'c1', text: 'nice', from: { id: 'u', username: 'jo' }, media: { id: 'media1' }, parent_id: 'c0' };
  const inChanges = { object: 'instagram', entry: [{ id: 'acc1', time: 1, changes: [{ field: 'comments', value }] }] };
  const direct = { object: 'instagram', entry: [{ id: 'acc1', time: 1, field: 'comments', value }] };
  for (const envelope of [inChanges, direct]) {
    t.like(itemsOf(envelope)[0], {
      channelType: 'photoapp',
      resourceId: 'acc1',
      eventType: 'photoapp.comment.received',
      conversation: 'media1',
      sender: 'u',
      platformMessageId: 'c1',
    });
  }
});

test('a photoapp batch in the direct shape is split by entries', (t) => {
  const entry = (id: string): object => ({
    id,
    time: 1,
    field: 'comments',
    value: { id: `c${id}`, media: { id: 'm' } },
  });
  const items = itemsOf({ object: 'instagram', entry: [entry('A'), entry('B')] });
  t.deepEqual(
    items.map(({ resourceId, body }) => [resourceId, Buffer.from(body).toString()]),
    ['A', 'B'].map((id) => [id, JSON.stringify({ object: 'instagram', entry: [entry(id)] })]),
  );
});

test('photoapp items other than messages are forwarded as other', (t) => {
  const kinds = [
    { message: { mid: 'm' } },
    { reaction: { mid: 'm', action: 'react' } },
    { read: { mid: 'm' } },
    { optin: {} },
  ];
  const items = itemsOf(messaging('instagram', ...kinds.map((kind) => ({ ...parties, ...kind }))));
  t.deepEqual(
    items.map(({ eventType }) => eventType),
    ['photoapp.message.received', 'photoapp.other.received', 'photoapp.other.received', 'photoapp.other.received'],
  );
  t.true(items.every(({ conversation }) => conversation === 'user1'));
});

test('an echo belongs to the conversation with its recipient', (t) => {
  const echo = {
    sender: { id: 'acc1' },
    recipient: { id: 'user1' },
    timestamp: 1,
    message: { mid: 'm', is_echo: true },
  };
  for (const object of ['instagram', 'page']) {
    t.like(itemsOf(messaging(object, echo))[0], { conversation: 'user1', sender: 'acc1' });
  }
});

test('pageapp messaging items have types of their own', (t) => {
  const kinds = [
    { message: { mid: 'm' } },
    { reaction: { mid: 'm', action: 'react' } },
    { reaction: { mid: 'm', action: 'unreact' } },
    { read: { watermark: 5 } },
    { delivery: { mids: ['m'], watermark: 5 } },
    { postback: { mid: 'm', payload: 'p' } },
    { postback: { payload: 'p' } },
    { pass_thread_control: {} },
  ];
  const items = itemsOf(messaging('page', ...kinds.map((kind) => ({ ...parties, ...kind }))));
  t.deepEqual(
    items.map(({ eventType }) => eventType),
    [
      'pageapp.message.received',
      'pageapp.message.reaction',
      'pageapp.message.reaction',
      'pageapp.message.read',
      'pageapp.message.delivered',
      'pageapp.postback.received',
      'pageapp.postback.received',
      'pageapp.other.received',
    ],
  );
});

test('a standby item is forwarded as other with its own key', (t) => {
  const item = { ...parties, message: { mid: 'm' } };
  const envelope = { object: 'page', entry: [{ id: 'acc1', messaging: [item], standby: [item] }] };
  const [own, standby] = itemsOf(envelope);
  t.is(own?.eventType, 'pageapp.message.received');
  t.like(standby, { eventType: 'pageapp.other.received', conversation: 'user1' });
  t.is(new Set(keysOf(envelope)).size, 2);
  t.false(Buffer.from(own!.body).toString().includes('standby'));
  t.false(Buffer.from(standby!.body).toString().includes('messaging'));
});

test('a change with a messaging item is read as the item', (t) => {
  const change = { field: 'messages', value: { ...parties, message: { mid: 'm' } } };
  const [item] = itemsOf({ object: 'instagram', entry: [{ id: 'acc1', changes: [change] }] });
  t.like(item, { eventType: 'photoapp.message.received', sender: 'user1' });
});

test('a change of any field may hold a messaging item', (t) => {
  const items = {
    messaging_optins: { optin: { type: 'notification_messages' } },
    messaging_referrals: { referral: { ref: 'spring' } },
    messaging_handovers: { pass_thread_control: { new_owner_app_id: '5' } },
    message_edits: { message_edit: { mid: 'm', text: 'x', num_edit: 1 } },
    never_seen: { never_seen: {} },
  };
  for (const [object, product] of [
    ['page', 'pageapp'],
    ['instagram', 'photoapp'],
  ] as const) {
    for (const [field, member] of Object.entries(items)) {
      const change = {
        object,
        entry: [{ id: 'acc1', time: 1, changes: [{ field, value: { ...parties, ...member } }] }],
      };
      const facts = { eventType: `${product}.other.received`, conversation: 'user1', sender: 'user1' } as const;
      t.like(itemsOf(change)[0], facts, field);
      t.deepEqual(keysOf(change), keysOf(messaging(object, { ...parties, ...member })), field);
    }
    const message = { ...parties, message: { mid: 'm' } };
    const standby = { object, entry: [{ id: 'acc1', changes: [{ field: 'standby', value: message }] }] };
    t.like(itemsOf(standby)[0], { eventType: `${product}.other.received`, conversation: 'user1' });
    t.deepEqual(keysOf(standby), keysOf({ object, entry: [{ id: 'acc1', standby: [message] }] }));
  }
});

test('a feed comment belongs to its post', (t) => {
  const comment = { item: 'comment', post_id: 'p', comment_id: 'c', from: { id: 'u' }, created_time: 9 };
  const added = itemsOf(feed({ ...comment, verb: 'add' }))[0];
  t.like(added, {
    eventType: 'pageapp.comment.received',
    resourceId: 'page1',
    conversation: 'p',
    sender: 'u',
    platformMessageId: 'c',
  });
});

test('feed posts and reactions are post changes, unknown items are forwarded', (t) => {
  const type = (value: object): unknown => itemsOf(feed(value))[0]?.eventType;
  for (const item of ['post', 'photo', 'video', 'status', 'share']) {
    t.is(type({ item, verb: 'add', post_id: 'p' }), 'pageapp.post.changed');
  }
  t.is(type({ item: 'never seen', post_id: 'p' }), 'pageapp.other.received');
  const reaction = {
    item: 'reaction',
    verb: 'add',
    reaction_type: 'like',
    post_id: 'p',
    from: { id: 'u' },
    created_time: 9,
  };
  t.like(itemsOf(feed(reaction))[0], { conversation: 'p', sender: 'u' });
});

test('the neutral and upstream words of a product are equivalent', (t) => {
  const words = { chatapp: 'whatsapp_business_account', photoapp: 'instagram', pageapp: 'page' };
  for (const [neutral, upstream] of Object.entries(words)) {
    for (const object of [neutral, upstream]) {
      t.is(String(itemsOf({ object, entry: [{ id: 'A', x: 1 }] })[0]?.channelType), neutral);
    }
  }
});
