import test from 'ava';
import { itemsOf, keysOf } from '../../harness/envelope/split-items.ts';

const messaging = (object: string, ...items: object[]): object => ({
  object,
  entry: [{ id: 'acc1', time: 1700000000000, messaging: items }],
});
const parties = { sender: { id: 'user1' }, recipient: { id: 'acc1' }, timestamp: 1700000000123 };

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

test('the neutral and upstream words of a product are equivalent', (t) => {
  const words = { chatapp: 'whatsapp_business_account', photoapp: 'instagram', pageapp: 'page' };
  for (const [neutral, upstream] of Object.entries(words)) {
    for (const object of [neutral, upstream]) {
      t.is(String(itemsOf({ object, entry: [{ id: 'A', x: 1 }] })[0]?.channelType), neutral);
    }
  }
});
