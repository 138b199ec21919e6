import test, { type ExecutionContext } from 'ava';
import { personStage } from '../../harness/erasures/person-stage.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import { aChannel } from '../../harness/tenants.ts';

const PHONE = '15557774001';
const USER = 'US.23491208655302741918';
const OTHER_PHONE = '15557774002';
const OTHER_USER = 'US.23491208655302749999';
const BUSINESS = '15550783881';

const metadata = { display_phone_number: BUSINESS, phone_number_id: '100000000000012' };
const envelopeOf = (field: string, members: object): object => ({
  object: 'chatapp',
  entry: [{ id: 'account', changes: [{ field, value: { messaging_product: 'chatapp', metadata, ...members } }] }],
});
const text = (body: string) => ({ timestamp: '1', type: 'text', text: { body } });

/** Only the message has both ids. */
const envelopes = [
  envelopeOf('messages', { messages: [{ from: PHONE, from_user_id: USER, id: 'm1', ...text('With both') }] }),
  envelopeOf('messages', {
    contacts: [{ profile: { name: 'Jo' }, user_id: USER }],
    messages: [
      { from_user_id: USER, id: 'm2', ...text('Without a number') },
      { from_user_id: OTHER_USER, id: 'm3', ...text('Of another person') },
    ],
  }),
  envelopeOf('messages', { statuses: [{ id: 'm4', status: 'read', timestamp: '1', recipient_user_id: USER }] }),
  envelopeOf('smb_message_echoes', {
    message_echoes: [
      { from: BUSINESS, to: `+${PHONE}`, id: 'm5', ...text('From the phone') },
      { from: BUSINESS, to: OTHER_PHONE, id: 'm6', ...text('To another person') },
    ],
  }),
  envelopeOf('history', {
    history: [
      {
        metadata: { phase: 0 },
        threads: [PHONE, OTHER_PHONE].map((id) => ({
          id,
          messages: [{ from: id, id: `h${id}`, ...text('Long ago') }],
        })),
      },
    ],
  }),
  envelopeOf('calls', { calls: [{ id: 'c1', from_user_id: USER, to: BUSINESS, event: 'connect', timestamp: '1' }] }),
  envelopeOf('user_preferences', { user_preferences: [{ wa_id: PHONE, value: 'stop', timestamp: 1 }] }),
];

async function peopleStage(t: ExecutionContext) {
  const stage = await personStage(t, { resourceId: metadata.phone_number_id });
  const { call, channel, at, arrive } = stage;
  await arrive(...envelopes);
  const listed = async (sender: string) => {
    const scope = `channel:${channel.publicId}`;
    const { body } = await call(`GET /deliveries?scope=${scope}&sender=${encodeURIComponent(sender)}`, at);
    return fieldsOf(body.deliveries, 'platformMessageId');
  };
  return { ...stage, listed };
}

test('either id of a person exports the events with both', async (t) => {
  const { exported } = await peopleStage(t);
  for (const id of [PHONE, USER, '+1 555 777 4001']) {
    const lines = await exported(id);
    const [head] = lines;
    t.true(head?.type === 'export' && [PHONE, USER].every((one) => head.personIds.includes(one)));
    const payloads = lines.flatMap((line) => (line.type === 'event' ? [line.payload ?? ''] : []));
    t.is(payloads.length, 7);
    t.true(payloads.every((payload) => payload.includes(PHONE) || payload.includes(USER)));
    t.false(payloads.some((payload) => payload.includes(OTHER_PHONE) || payload.includes(OTHER_USER)));
  }
});

for (const id of [PHONE, USER]) {
  test(`an erasure of ${id} leaves no id of the person`, async (t) => {
    const { db, erase, create, exported } = await peopleStage(t);
    t.like(await create({ sender: id }, { dryRun: true }), { matched: 7 });
    t.like(await erase({ sender: id }), { events: 7 });
    t.deepEqual(await tablesWith(db, PHONE), []);
    t.deepEqual(await tablesWith(db, USER), []);
    t.like((await exported(id)).at(-1), { counts: { events: 0 } });
    for (const other of [OTHER_PHONE, OTHER_USER]) t.true((await tablesWith(db, other)).length > 0);
  });
}

test('either id of a sender lists the message with both', async (t) => {
  const { listed } = await peopleStage(t);
  t.deepEqual(await listed(PHONE), [null, 'm1']);
  t.deepEqual(await listed(USER), ['c1', 'm2', 'm1']);
});

const PAGE_ACCOUNT = '300000000000011';

async function conversationStage(t: ExecutionContext) {
  const stage = await personStage(t, { resourceId: metadata.phone_number_id });
  await aChannel(stage.db, stage.workspace, { type: 'pageapp', resourceId: PAGE_ACCOUNT });
  const statuses = (recipient: string) => [
    { id: `wamid.${recipient}x`, status: 'delivered', timestamp: '1', recipient_id: recipient },
  ];
  const message = { mid: 'mid.1', is_echo: true, text: 'Your appointment is on Monday' };
  const echo = { sender: { id: PAGE_ACCOUNT }, recipient: { id: PHONE }, timestamp: 1, message };
  await stage.arrive(
    envelopeOf('messages', { statuses: statuses(PHONE) }),
    envelopeOf('messages', { statuses: statuses(OTHER_PHONE) }),
    { object: 'pageapp', entry: [{ id: PAGE_ACCOUNT, time: 1, messaging: [echo] }] },
  );
  return stage;
}

test('statuses and echoes of messages to a person are exported', async (t) => {
  const { exported } = await conversationStage(t);
  const lines = await exported(PHONE);
  const events = lines.filter(({ type }) => type === 'event');
  t.like(events, [{ sender: null }, { sender: PAGE_ACCOUNT }]);
  t.true(events.every((line) => line.type === 'event' && line.payload?.includes(PHONE)));
  t.like(lines.at(-1), { counts: { events: 2, deliveries: 2 } });
});

test('statuses and echoes of messages to a person are erased', async (t) => {
  const { db, erase, exported } = await conversationStage(t);
  t.true((await tablesWith(db, PHONE)).length > 0);
  t.like(await erase({ sender: PHONE }), { events: 2, deliveries: 2 });
  t.deepEqual(await tablesWith(db, PHONE), []);
  t.true((await tablesWith(db, OTHER_PHONE)).length > 0);
  t.like((await exported(PHONE)).at(-1), { counts: { events: 0 } });
});
