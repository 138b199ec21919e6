import test, { type ExecutionContext } from 'ava';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { personExportLine } from '../../../openapi/erasures/export-schema.ts';
import { testApi } from '../../harness/api/api.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const PHONE = '15557774001';
const USER = 'US.23491208655302741918';
const OTHER_PHONE = '15557774002';
const OTHER_USER = 'US.23491208655302749999';
const BUSINESS = '15550783881';
const reason = 'asked for';

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
  const api = await testApi(t);
  const { db, call } = api;
  const events = createPlatformEvents({ pool: testHotPool(t, api.databaseUrl), log: rememberingLog() });
  t.teardown(() => events.idle());
  const { apiKey: key, organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace, { type: 'chatapp', resourceId: metadata.phone_number_id });
  for (const envelope of envelopes) await events.accept(Buffer.from(JSON.stringify(envelope)));
  const path = `/organizations/${organization.publicId}`;
  const exported = async (sender: string) => {
    const { body } = await call(`POST ${path}/person-exports`, { key, body: { sender, reason } });
    const lines = String(body).trimEnd().split('\n');
    return lines.map((line) => personExportLine.parse(JSON.parse(line)));
  };
  const begin = async (sender: string, input: object = {}) =>
    (await call(`POST ${path}/erasures`, { key, body: { scope: { sender }, reason, ...input } })).body;
  const erase = async (sender: string) => {
    const { erasureId } = await begin(sender);
    while ((await eraseSlice(db, erasureId, { lateMs: 0 }))?.status === 'erasing');
    return (await call(`GET ${path}/erasures/${erasureId}`, { key })).body.erased;
  };
  const listed = async (sender: string) => {
    const scope = `channel:${channel.publicId}`;
    const at = { key, workspace: workspace.publicId };
    const { body } = await call(`GET /deliveries?scope=${scope}&sender=${encodeURIComponent(sender)}`, at);
    return (body.deliveries as { platformMessageId: string | null }[]).map((one) => one.platformMessageId);
  };
  return { db, exported, erase, begin, listed };
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
    const { db, erase, begin, exported } = await peopleStage(t);
    t.like(await begin(id, { dryRun: true }), { matched: 7 });
    t.like(await erase(id), { events: 7 });
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
