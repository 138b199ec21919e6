import test from 'ava';
import { setOptions } from '../../../harness/deliveries/debounced.ts';
import { sequencedId } from '../../../../contract/ids.ts';
import { giveToPump } from '../../../../db/ledger/load-delivery.ts';
import { retargetDestination } from '../../../../db/ledger/destinations/destinations.ts';
import { applyPending } from '../../../../db/ledger/apply-pending.ts';
import { deliveryRows, acceptedItems } from '../../../harness/deliveries/hot-ledger.ts';
import { HELD_MS, pumpStage, untilAll } from '../../../harness/deliveries/pump-stage.ts';
import { eventually } from '../../../harness/eventually.ts';

test('deliveries carry static headers, and the signature stays', async (t) => {
  const stage = await pumpStage(t);
  await setOptions(stage, {
    headers: { 'X-Api-Key': 'k1' },
    authentication: { type: 'basic', username: 'u', password: 'p' },
  });
  await acceptedItems(stage.pool, 1);
  stage.startPump();
  await untilAll(stage, 'delivered');
  const [request] = stage.webhook.deliveries();
  t.is(request!.headers['x-api-key'], 'k1');
  t.is(request!.headers['authorization'], `Basic ${Buffer.from('u:p').toString('base64')}`);
  t.is(request!.headers['content-type'], 'application/json');
  t.true(request!.signatureValid);
});

test('a paced destination keeps all its retries in the pump', async (t) => {
  const stage = await pumpStage(t);
  await setOptions(stage, { requestsPerSecond: 500, concurrency: 1, retrySchedule: { steps: [3_600, 3_600] } });
  stage.webhook.set({ then: { status: 500 } });
  await acceptedItems(stage.pool, 1);
  const pump = stage.startPump();
  await untilAll(stage, 'retrying');
  const [delivery] = await stage.db('deliveries').select('pump_retries', 'next_attempt_at');
  t.true(delivery.pump_retries);
  t.true(delivery.next_attempt_at.getTime() > Date.now() + 2_000_000, 'by its own schedule');
  t.deepEqual(pump.promoted, []);
});

test('a workflow leaves the delivery of a paced destination to the pump', async (t) => {
  const stage = await pumpStage(t);
  stage.webhook.set({ then: { status: 500 } });
  await acceptedItems(stage.pool, 1);
  const pump = stage.startPump();
  await eventually(() => pump.promoted.length === 1);
  await pump.stop();
  await setOptions(stage, { concurrency: 1 });
  const deliveryId = sequencedId(stage.idKey, 'delivery', pump.promoted[0]!);
  const input = { deliveryId, attempt: 2, failedInSchedule: 1, retryDelayMs: 1_000 };

  const sentCount = stage.webhook.deliveries().length;
  t.is((await stage.deliveryActivities.attemptDelivery(input)).status, 'ended');
  t.is((await stage.deliveryActivities.attemptDelivery(input)).status, 'ended');
  t.is(stage.webhook.deliveries().length, sentCount);
  const [row] = await stage.db('deliveries').select('status', 'pump_retries', 'attempt_count');
  t.like(row, { status: 'retrying', pump_retries: true, attempt_count: 1 });

  stage.webhook.set({ then: { status: 200 } });
  stage.startPump();
  await untilAll(stage, 'delivered');
});

test('a delivery that has ended is not given to the pump', async (t) => {
  const stage = await pumpStage(t);
  const [id] = await acceptedItems(stage.pool, 1);
  stage.startPump();
  await untilAll(stage, 'delivered');
  await giveToPump(stage.pool, id!);
  t.is((await deliveryRows(stage.pool))[0]!.status, 'delivered');
});

test('a short schedule of its own exhausts a delivery', async (t) => {
  const stage = await pumpStage(t);
  await setOptions(stage, { retrySchedule: { steps: [1] } });
  stage.webhook.set({ then: { status: 500 } });
  await acceptedItems(stage.pool, 1);
  stage.startPump();
  await untilAll(stage, 'exhausted');
  t.is((await deliveryRows(stage.pool))[0]!.attempt_count, 2);
});

test('the own time-out ends an attempt', async (t) => {
  const stage = await pumpStage(t);
  await setOptions(stage, { timeoutSeconds: 1 });
  stage.webhook.set({ then: { delayMs: HELD_MS } });
  await acceptedItems(stage.pool, 1);
  stage.startPump();
  await untilAll(stage, 'retrying');
  const [attempt] = await stage.db('attempts').select('error', 'duration_ms');
  // A busy machine may not connect within a second.
  t.regex(attempt.error, /^(connect_)?timeout$/);
  // The default is ten times as long.
  t.true(attempt.duration_ms < HELD_MS);
});

test('a kept URL keeps its credentials when the origin changes', async (t) => {
  const stage = await pumpStage(t);
  const { db, channel, destination } = stage;
  await setOptions(stage, { headers: { 'x-a': 'old' }, timeoutSeconds: 9 });
  await acceptedItems(stage.pool, 1);
  await db.transaction(async (trx) => {
    const id = await applyPending(trx, { destinationId: destination.id, pending: 'keep' });
    await retargetDestination(trx, { id, url: 'https://elsewhere.example.net/' });
  });
  const [kept, current] = await db('destinations').where({ channel_id: channel.id }).orderBy('id');
  t.like(current, { options: { timeoutSeconds: 9 }, credentials_encrypted: null });
  t.like(kept, { id: destination.id, kept_for: current.id, options: { timeoutSeconds: 9, headers: ['x-a'] } });
  stage.startPump();
  await untilAll(stage, 'delivered');
  t.is(stage.webhook.deliveries()[0]!.headers['x-a'], 'old');

  await setOptions({ ...stage, destination: current }, { headers: { 'x-b': 'new' } });
  t.deepEqual((await db('destinations').where({ id: kept.id }).first()).options.headers, ['x-a']);
});
