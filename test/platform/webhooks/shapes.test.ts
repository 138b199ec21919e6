import test from 'ava';
import { itemsOf } from '../../harness/envelope/split-items.ts';

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
    dedupe: 'message|wamid.A%7c1|',
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
  t.deepEqual(
    items.map(({ dedupe }) => dedupe),
    ['status|m|sent,1,', 'status|m|read,2,'],
  );
  t.like(items[0], {
    eventType: 'chatapp.message.status',
    sender: null,
    conversation: '49',
    platformMessageId: 'm',
  });
});

test('a chatapp notice needs a phone number to reach a channel', (t) => {
  const notice = chatapp({ event: 'APPROVED', message_template_id: 1 }, 'message_template_status_update');
  t.like(itemsOf(notice)[0], { channelType: 'chatapp', resourceId: null, eventType: 'chatapp.other.received' });
  t.like(itemsOf(chatapp({ metadata, calls: [{ id: 'c' }] }, 'calls'))[0], {
    resourceId: '1066',
    eventType: 'chatapp.other.received',
    dedupe: null,
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
      dedupe: 'comment|c1|,',
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
    items.map(({ eventType, dedupe }) => [eventType, dedupe]),
    [
      ['photoapp.message.received', 'message|m|'],
      ['photoapp.other.received', 'reaction|m|user1,react,1700000000123'],
      ['photoapp.other.received', 'read|m|,user1'],
      ['photoapp.other.received', null],
    ],
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
    t.like(itemsOf(messaging(object, echo))[0], { conversation: 'user1', sender: 'acc1', dedupe: 'message|m|echo' });
  }
});

test('the removal of a message does not duplicate the message', (t) => {
  const [sent, removed] = itemsOf(
    messaging(
      'instagram',
      { ...parties, message: { mid: 'm', text: 'x' } },
      { ...parties, message: { mid: 'm', is_deleted: true } },
    ),
  );
  t.not(sent?.dedupe, removed?.dedupe);
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
    items.map(({ eventType, dedupe }) => [eventType, dedupe]),
    [
      ['pageapp.message.received', 'message|m|'],
      ['pageapp.message.reaction', 'reaction|m|user1,react,1700000000123'],
      ['pageapp.message.reaction', 'reaction|m|user1,unreact,1700000000123'],
      ['pageapp.message.read', 'read||5,user1'],
      ['pageapp.message.delivered', 'delivery||5,user1'],
      ['pageapp.postback.received', 'postback|m|user1,1700000000123'],
      ['pageapp.postback.received', null],
      ['pageapp.other.received', null],
    ],
  );
});

test('a standby item is forwarded as other with its own dedupe key', (t) => {
  const item = { ...parties, message: { mid: 'm' } };
  const [own, standby] = itemsOf({ object: 'page', entry: [{ id: 'acc1', messaging: [item], standby: [item] }] });
  t.is(own?.eventType, 'pageapp.message.received');
  t.like(standby, { eventType: 'pageapp.other.received', conversation: 'user1', dedupe: 'standby.message|m|' });
  t.false(Buffer.from(own!.body).toString().includes('standby'));
  t.false(Buffer.from(standby!.body).toString().includes('messaging'));
});

test('a change with a messaging item is read as the item', (t) => {
  const change = { field: 'messages', value: { ...parties, message: { mid: 'm' } } };
  const [item] = itemsOf({ object: 'instagram', entry: [{ id: 'acc1', changes: [change] }] });
  t.like(item, { eventType: 'photoapp.message.received', sender: 'user1', dedupe: 'message|m|' });
});

test('a feed comment belongs to its post, and edits are separate', (t) => {
  const comment = { item: 'comment', post_id: 'p', comment_id: 'c', from: { id: 'u' }, created_time: 9 };
  const added = itemsOf(feed({ ...comment, verb: 'add' }))[0];
  t.like(added, {
    eventType: 'pageapp.comment.received',
    resourceId: 'page1',
    conversation: 'p',
    sender: 'u',
    platformMessageId: 'c',
    dedupe: 'comment|c|add,9',
  });
  t.is(itemsOf(feed({ ...comment, verb: 'add' }, 2))[0]?.dedupe, added?.dedupe);
  const changes = [1, 2].flatMap((time) =>
    ['edited', 'hide', 'unhide', 'remove'].map((verb) => itemsOf(feed({ ...comment, verb }, time))[0]?.dedupe),
  );
  t.is(new Set([added?.dedupe, ...changes]).size, 9);
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
  t.like(itemsOf(feed(reaction))[0], { conversation: 'p', sender: 'u', dedupe: 'reaction|p|u,add,like,9' });
});

test('the neutral and upstream words of a product are equivalent', (t) => {
  const words = { chatapp: 'whatsapp_business_account', photoapp: 'instagram', pageapp: 'page' };
  for (const [neutral, upstream] of Object.entries(words)) {
    for (const object of [neutral, upstream]) {
      t.is(String(itemsOf({ object, entry: [{ id: 'A', x: 1 }] })[0]?.channelType), neutral);
    }
  }
});
