import test from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { listenerStage } from '../../harness/listeners/listener-stage.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { columnsWith, newestBox, sealingBox } from '../../harness/database/sealed-bodies.ts';
import { aStaffKey } from '../../harness/people/staff.ts';

const NEEDLE = 'needle-03be';
const payload = `{"text":"${NEEDLE} 👋🏽","n":12345678901234567890,"n":1}`;
const body = Buffer.from(payload);

test('a listener reads encrypted and clear bodies unchanged', async (t) => {
  const stage = await listenerStage(t, { bodyBox: sealingBox });
  await acceptItems(stage.pool, [anItem({ body })], sealingBox);
  await stage.accept({ body: Buffer.from('{"clear":1}') });
  const { body: answer } = await stage.readAll(2);
  t.deepEqual(fieldsOf(answer.deliveries, 'payload'), [payload, '{"clear":1}']);
});

test("a delivery shows its encrypted body and its reader's encrypted response", async (t) => {
  const stage = await listenerStage(t, { bodyBox: sealingBox });
  await acceptItems(stage.pool, [anItem({ body })], sealingBox);
  const [{ deliveryId }] = (await stage.readAll(1)).body.deliveries;
  const said = { deliveryId, attempt: 1, outcome: 'rejected', status: 500, responseBody: `no: ${NEEDLE}` };
  t.is((await stage.acknowledge(said)).status, 200);
  t.deepEqual(await columnsWith(stage.db, NEEDLE), []);
  const record = await stage.record(deliveryId);
  t.is(record.payload, payload);
  t.is(record.attempts[0].responseBody, `no: ${NEEDLE}`);
  const { token } = await aStaffKey(stage.db);
  const staff = await stage.call(`GET /staff/deliveries/${deliveryId}?reason=Call`, { key: token });
  t.is(staff.body.payload, payload);
});

test('staff see the unencrypted size of an unrouted item', async (t) => {
  const { db, pool, call } = await listenerStage(t, { bodyBox: sealingBox });
  await acceptItems(pool, [anItem({ body, resourceId: 'nowhere' })], sealingBox);
  const { token } = await aStaffKey(db);
  const { body: answer } = await call('GET /staff/unrouted-events?reason=Call', { key: token });
  t.is(answer.events[0].sizeBytes, body.length);
});

test('reading a body without its key is refused and logged', async (t) => {
  const log = rememberingLog();
  const stage = await listenerStage(t, { bodyBox: newestBox, log });
  await acceptItems(stage.pool, [anItem({ body })], sealingBox);
  const { body: list } = await stage.call(`GET /deliveries`, { key: stage.key, workspace: stage.workspace.publicId });
  const [{ deliveryId }] = list.deliveries;
  await stage.refused('BODY_UNREADABLE', `GET /deliveries/${deliveryId}`, {
    key: stage.key,
    workspace: stage.workspace.publicId,
  });
  const [line] = log.lines.filter(({ event }) => event === 'body.openFailed');
  t.like(line, { level: 'error', deliveryId, encryptionKeyId: 'test', errorCode: 'body_unreadable' });
});

test('a listener skips a body whose key is missing', async (t) => {
  const stage = await listenerStage(t, { bodyBox: newestBox });
  await acceptItems(stage.pool, [anItem({ body })], sealingBox);
  await stage.accept({ body: Buffer.from('{"clear":1}') });
  const { body: first } = await stage.readAll(1);
  t.deepEqual(fieldsOf(first.deliveries, 'payload'), ['{"clear":1}']);
  const { body: next } = await stage.read(`?cursor=${first.nextCursor}`);
  t.deepEqual(next.deliveries, [], 'the next read skips it');
  t.deepEqual(
    await stage.db('deliveries').distinct('status'),
    [{ status: 'pending' }],
    'it stays pending until its key returns',
  );
});
