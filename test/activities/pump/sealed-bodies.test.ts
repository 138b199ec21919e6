import test from 'ava';
import { sequencedId } from '../../../contract/ids.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import type { ScriptedWebhook } from '../../../simulator/receiver/scripted-webhook.ts';
import { eventually } from '../../harness/eventually.ts';
import { accepted, anItem, deliveryRows, items } from '../../harness/deliveries/hot-ledger.ts';
import { pumpStage, statusesOf, untilAll } from '../../harness/deliveries/pump-stage.ts';
import { columnsWith, newestBox, rotatedBox, sealingBox } from '../../harness/database/sealed-bodies.ts';
import { openCircuitRow } from '../../harness/deliveries/failing-ledger.ts';

const NEEDLE = 'needle-7d1f';
const bodiesAt = (webhook: ScriptedWebhook) =>
  webhook.deliveries().map(({ bodyBase64 }) => Buffer.from(bodyBase64!, 'base64').toString());
const body = Buffer.from(`{"text":"${NEEDLE} ✓"}`);

test('an encrypted body is delivered unchanged and never stored as plain text', async (t) => {
  const stage = await pumpStage(t, { bodyBox: sealingBox });
  const { pool, db, webhook } = stage;
  webhook.set({ answers: [{ status: 500, body: `no: ${NEEDLE}` }], then: { status: 200, body: `yes: ${NEEDLE}` } });
  await acceptItems(pool, [anItem({ body }), anItem({ body, conversationKey: 2 })], sealingBox);
  await acceptItems(pool, [anItem({ body, resourceId: 'nowhere' })], sealingBox);
  stage.startPump();
  await webhook.waitForDeliveries(2);
  await eventually(async () => (await db('attempts')).length === 2);
  t.deepEqual(bodiesAt(webhook), [String(body), String(body)]);
  t.deepEqual(await columnsWith(db, NEEDLE), []);
  const keyIds = await Promise.all([
    db('events').distinct('body_key_id as id'),
    db('unrouted_events').distinct('body_key_id as id'),
    db('attempts').distinct('response_body_key_id as id'),
  ]);
  t.deepEqual(keyIds.flat(), [{ id: 'test' }, { id: 'test' }, { id: 'test' }]);
});

test('a repeated encrypted event is a duplicate', async (t) => {
  const { pool } = await pumpStage(t);
  const item = anItem({ body });
  t.like(await acceptItems(pool, [item], sealingBox), { eventCount: 1 });
  t.like(await acceptItems(pool, [item], sealingBox), { eventCount: 0 });
  t.like(await acceptItems(pool, [item]), { eventCount: 0 });
});

test('plain bodies and bodies of two keys are delivered together', async (t) => {
  const stage = await pumpStage(t, { bodyBox: rotatedBox });
  const { pool, webhook } = stage;
  for (const [index, box] of [undefined, sealingBox, undefined, rotatedBox].entries()) {
    await acceptItems(pool, [anItem({ body: Buffer.from(`{"n":${index}}`) })], box);
  }
  stage.startPump();
  await webhook.waitForDeliveries(4);
  t.deepEqual(bodiesAt(webhook), ['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}']);
});

test('the ciphertext of another event is not delivered', async (t) => {
  const stage = await pumpStage(t, { bodyBox: sealingBox });
  const { pool, db } = stage;
  await acceptItems(pool, [anItem({ conversationKey: 1 }), anItem({ conversationKey: 2 })], sealingBox);
  const [first, second] = await db('events').orderBy('id');
  await db('events').where({ id: second.id }).update({ body: first.body });
  stage.startPump();
  await eventually(async () => (await statusesOf(stage)).join() === 'delivered,retrying');
  t.is(stage.webhook.deliveries().length, 1);
});

test('deliveries with a missing key are postponed without an attempt', async (t) => {
  const stage = await pumpStage(t, { bodyBox: newestBox });
  const { pool, db, webhook } = stage;
  await acceptItems(pool, items(200), sealingBox);
  await acceptItems(pool, items(3));
  const pump = stage.startPump();
  await webhook.waitForDeliveries(3);
  await eventually(async () => (await statusesOf(stage)).every((status) => status !== 'pending'));
  t.is((await statusesOf(stage)).filter((status) => status === 'retrying').length, 200);
  t.is(webhook.deliveries().length, 3);
  t.deepEqual(pump.promoted, [], 'no delivery gets a workflow');
  t.is((await db('attempts')).length, 3);
  const { rows } = await pool.query(
    'select distinct attempt_count, failed_in_schedule, pump_retries from deliveries where next_attempt_at > now()',
  );
  t.deepEqual(rows, [{ attempt_count: 0, failed_in_schedule: 0, pump_retries: true }]);
  t.like(await db('destinations').where({ id: stage.destination.id }).first(), {
    circuit: 'closed',
    consecutive_failures: 0,
  });
  const failures = stage.log.lines.filter(({ event }) => event === 'body.openFailed');
  t.is(failures.length, 200);
  t.like(failures[0], { level: 'error', encryptionKeyId: 'test', errorCode: 'body_unreadable' });
});

test('a missing key delays a retry without counting an attempt', async (t) => {
  const gone = await pumpStage(t, { bodyBox: newestBox });
  await acceptItems(gone.pool, [anItem({ body })], sealingBox);
  const { id } = (await deliveryRows(gone.pool))[0]!;
  await gone.db('deliveries').where({ id }).update({ status: 'retrying', next_attempt_at: new Date() });
  const deliveryId = sequencedId(gone.idKey, 'delivery', id);
  const attempt = { deliveryId, attempt: 1, failedInSchedule: 0, retryDelayMs: null };
  for (const _again of [1, 2]) t.deepEqual(await gone.deliveryActivities.attemptDelivery(attempt), { status: 'ended' });
  const [row] = await deliveryRows(gone.pool);
  t.like(row, { status: 'retrying', pump_retries: true, attempt_count: 0, failed_in_schedule: 0 });
  t.true(row!.next_attempt_at! > new Date());
  t.not(
    (await gone.db('deliveries').first('restarted_at')).restarted_at,
    null,
    'the wait does not use up the schedule',
  );
  t.is(gone.webhook.deliveries().length, 0);
});

test('a probe skips deliveries whose key is missing', async (t) => {
  const stage = await pumpStage(t, { bodyBox: newestBox });
  const { pool, db, destination, webhook } = stage;
  await acceptItems(
    pool,
    items(5, (index) => index),
    sealingBox,
  );
  await accepted(pool, [anItem({ conversationKey: 9, body })]);
  await db('destinations').where({ id: destination.id }).update(openCircuitRow());
  const probe = { destinationId: destination.id, probesMade: 0, delayMs: 10_000, isRequested: false };
  t.like(await stage.circuitActivities.probeDestination(probe), { status: 'closed' });
  t.deepEqual(bodiesAt(webhook), [String(body)]);
});

test('a delivery is sent when its key is available again', async (t) => {
  const stage = await pumpStage(t, { bodyBox: sealingBox });
  const { pool, db, webhook } = stage;
  await acceptItems(pool, [anItem({ body })], sealingBox);
  const { id } = (await deliveryRows(pool))[0]!;
  await db('deliveries').where({ id }).update({ status: 'retrying', next_attempt_at: new Date() });
  const attempt = {
    deliveryId: sequencedId(stage.idKey, 'delivery', id),
    attempt: 1,
    failedInSchedule: 0,
    retryDelayMs: null,
  };
  t.like(await stage.deliveryActivities.attemptDelivery(attempt), { status: 'delivered' });
  await untilAll(stage, 'delivered');
  t.is(bodiesAt(webhook)[0], String(body));
});
