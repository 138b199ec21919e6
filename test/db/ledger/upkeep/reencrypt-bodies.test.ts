import test from 'ava';
import { acceptItems } from '../../../../db/ledger/accept.ts';
import { createBodyBox } from '../../../../db/core/body-box.ts';
import { reencryptBodies } from '../../../../db/ledger/upkeep/reencrypt-bodies.ts';
import { readEventBody } from '../../../../db/deliveries/records.ts';
import { anItem, hotLedger, items } from '../../../harness/deliveries/hot-ledger.ts';
import { columnsWith, newestBox, rotatedBox, sealingBox } from '../../../harness/database/sealed-bodies.ts';

const NEEDLE = 'needle-52c0';
const body = Buffer.from(`{"text":"${NEEDLE}"}`);
const none = {
  'events.body': {},
  'unrouted_events.body': {},
  'attempts.response_body': {},
  'test_events.response_body': {},
};

test('unencrypted bodies are encrypted once, in slices', async (t) => {
  const { db, pool } = await hotLedger(t);
  await acceptItems(
    pool,
    items(450).map((item) => ({ ...item, body })),
  );
  await acceptItems(pool, [anItem({ body, resourceId: 'nowhere' })]);
  await db('attempts').insert({
    delivery_id: 1,
    number: 1,
    started_at: new Date(),
    duration_ms: 1,
    outcome: 'rejected',
    response_body: body,
  });
  t.deepEqual(await columnsWith(db, NEEDLE), ['attempts.response_body', 'events.body', 'unrouted_events.body']);
  const { counts, left } = await reencryptBodies(db, sealingBox);
  t.deepEqual(counts, {
    'events.body': 450,
    'unrouted_events.body': 1,
    'attempts.response_body': 1,
    'test_events.response_body': 0,
  });
  t.deepEqual(left, none);
  t.deepEqual(await columnsWith(db, NEEDLE), []);
  t.true(Object.values((await reencryptBodies(db, sealingBox)).counts).every((count) => count === 0));
  const { id } = await db('events').orderBy('id', 'desc').first('id');
  t.deepEqual(sealingBox.open((await readEventBody(db, id))!), body);
});

test('a rotation encrypts every body with the new key', async (t) => {
  const { db, pool } = await hotLedger(t);
  await acceptItems(pool, [anItem({ body }), anItem({ body, resourceId: 'nowhere' })], sealingBox);
  t.deepEqual((await reencryptBodies(db, rotatedBox)).left, none);
  const { id } = await db('events').first('id');
  t.deepEqual(newestBox.open((await readEventBody(db, id))!), body, 'the old key is not needed');
});

test('a run reports and keeps bodies whose key is missing', async (t) => {
  const { db, pool } = await hotLedger(t);
  await acceptItems(pool, [anItem({ body }), anItem({ body })], sealingBox);
  await acceptItems(pool, [anItem({ body })]);
  const { counts, left } = await reencryptBodies(db, newestBox);
  t.is(counts['events.body'], 1);
  t.deepEqual(left['events.body'], { test: 2 });
});

test('remaining bodies are counted in slices', async (t) => {
  const { db, pool } = await hotLedger(t);
  for (let batch = 0; batch < 3; batch++) await acceptItems(pool, items(700), sealingBox);
  t.deepEqual((await reencryptBodies(db, newestBox)).left['events.body'], { test: 2_100 });
});

test('disabled encryption keeps unencrypted bodies unchanged', async (t) => {
  const { db, pool } = await hotLedger(t);
  await acceptItems(pool, [anItem({ body })]);
  const off = createBodyBox({ keys: [{ id: 'test', bytes: Buffer.alloc(32, 7) }], encryptsBodies: false });
  const { counts, left } = await reencryptBodies(db, off);
  t.is(counts['events.body'], 0);
  t.deepEqual(left, none);
});

test('large bodies are encrypted a few at a time', async (t) => {
  const { db, pool } = await hotLedger(t);
  const large = Buffer.alloc(6 * 1024 * 1024, 'x');
  for (let index = 0; index < 4; index++) await acceptItems(pool, [anItem({ body: large })]);
  t.is((await reencryptBodies(db, sealingBox)).counts['events.body'], 4);
  const { id } = await db('events').first('id');
  t.true(sealingBox.open((await readEventBody(db, id))!).equals(large));
});
