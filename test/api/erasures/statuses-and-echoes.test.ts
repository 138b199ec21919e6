import test, { type ExecutionContext } from 'ava';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { personExportLine } from '../../../openapi/erasures/export-schema.ts';
import { testApi } from '../../harness/api/api.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const PERSON = '15557773001';
const OTHER = '15557773002';
const reason = 'asked for';

async function conversationStage(t: ExecutionContext) {
  const api = await testApi(t);
  const { db, call } = api;
  const events = createPlatformEvents({ pool: testHotPool(t, api.databaseUrl), log: rememberingLog() });
  t.teardown(() => events.idle());
  const { apiKey: key, organization, workspace } = await aTenant(db);
  await aChannel(db, workspace, { type: 'chatapp', resourceId: '100000000000011' });
  await aChannel(db, workspace, { type: 'pageapp', resourceId: '300000000000011' });
  const path = `/organizations/${organization.publicId}`;
  const status = (recipient: string) => ({
    object: 'chatapp',
    entry: [{ id: 'account', changes: [{ field: 'messages', value: statusValue(recipient) }] }],
  });
  const echo = {
    object: 'pageapp',
    entry: [{ id: '300000000000011', time: 1, messaging: [echoItem] }],
  };
  for (const envelope of [status(PERSON), status(OTHER), echo])
    await events.accept(Buffer.from(JSON.stringify(envelope)));
  const exported = async () => {
    const { body } = await call(`POST ${path}/person-exports`, { key, body: { sender: PERSON, reason } });
    const lines = String(body).trimEnd().split('\n');
    return lines.map((line) => personExportLine.parse(JSON.parse(line)));
  };
  const erase = async () => {
    const { body } = await call(`POST ${path}/erasures`, { key, body: { scope: { sender: PERSON }, reason } });
    while ((await eraseSlice(db, body.erasureId, { lateMs: 0 }))?.status === 'erasing');
    return (await call(`GET ${path}/erasures/${body.erasureId}`, { key })).body.erased;
  };
  return { db, exported, erase };
}

const statusValue = (recipient: string) => ({
  messaging_product: 'chatapp',
  metadata: { phone_number_id: '100000000000011' },
  statuses: [{ id: `wamid.${recipient}x`, status: 'delivered', timestamp: '1', recipient_id: recipient }],
});

const echoItem = {
  ...{ sender: { id: '300000000000011' }, recipient: { id: PERSON }, timestamp: 1 },
  message: { mid: 'mid.1', is_echo: true, text: 'Your appointment is on Monday' },
};

test('statuses and echoes of messages to a person are exported', async (t) => {
  const { exported } = await conversationStage(t);
  const lines = await exported();
  const events = lines.filter(({ type }) => type === 'event');
  t.like(events, [{ sender: null }, { sender: '300000000000011' }]);
  t.true(events.every((line) => line.type === 'event' && line.payload?.includes(PERSON)));
  t.like(lines.at(-1), { counts: { events: 2, deliveries: 2 } });
});

test('statuses and echoes of messages to a person are erased', async (t) => {
  const { db, erase, exported } = await conversationStage(t);
  t.true((await tablesWith(db, PERSON)).length > 0);
  t.like(await erase(), { events: 2, deliveries: 2 });
  t.deepEqual(await tablesWith(db, PERSON), []);
  t.true((await tablesWith(db, OTHER)).length > 0);
  t.like((await exported()).at(-1), { counts: { events: 0 } });
});
