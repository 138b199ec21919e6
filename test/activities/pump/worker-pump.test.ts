import test from 'ava';
import { sequencedId } from '../../../contract/ids.ts';
import type { ReceivedRequest } from '../../../simulator/receiver/scripted-webhook.ts';
import { eventually } from '../../harness/eventually.ts';
import { accepted, anItem, deliveryRows, acceptedItems, items } from '../../harness/deliveries/hot-ledger.ts';
import { idsOf, pumpStage, statusesOf, untilAll } from '../../harness/deliveries/pump-stage.ts';

const bodyOf = ({ bodyBase64 }: ReceivedRequest): string => Buffer.from(bodyBase64!, 'base64').toString();

test('pending rows are delivered once, in order, with valid signatures', async (t) => {
  const stage = await pumpStage(t);
  const sent = items(30);
  const ids = await accepted(stage.pool, sent);
  const pump = stage.startPump();
  const received = await stage.webhook.waitForDeliveries(30);
  await untilAll(stage, 'delivered');

  t.deepEqual(
    received.map(bodyOf),
    sent.map(({ body }) => Buffer.from(body).toString()),
  );
  t.true(received.every((request) => request.signatureValid && request.standardSignatureValid));
  const { headers } = received[0]!;
  t.like(headers, {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook-Sender/1.0',
    'x-service-delivery-id': sequencedId(stage.idKey, 'delivery', ids[0]!),
    'x-service-event-type': 'chatapp.message.received',
    'x-service-attempt': '1',
  });
  t.like(await pump.stop(), { settledCount: 30, promotedCount: 0 });
  const { rows } = await stage.pool.query('select outcome, count(*) from attempts group by outcome');
  t.deepEqual(rows, [{ outcome: 'accepted', count: 30 }]);
});

test('an echo is sent with a header that says so', async (t) => {
  const stage = await pumpStage(t);
  await accepted(stage.pool, [anItem({ eventFlags: 'echo,unsend' }), anItem({ conversationKey: 2 })]);
  stage.startPump();
  const received = await stage.webhook.waitForDeliveries(2);
  const flags = received.map(({ headers }) => headers['x-service-event-flags'] ?? null);
  t.deepEqual(new Set(flags), new Set(['echo,unsend', null]));
});

test('an event accepted while the pump waits is sent', async (t) => {
  const stage = await pumpStage(t);
  stage.startPump();
  for (let count = 1; count <= 3; count++) {
    await acceptedItems(stage.pool, 1);
    await stage.webhook.waitForDeliveries(count);
  }
  await untilAll(stage, 'delivered');
  t.pass();
});

test('a failed delivery blocks only its conversation and is promoted once', async (t) => {
  const stage = await pumpStage(t);
  const ids = await acceptedItems(stage.pool, 1);
  stage.webhook.set({ answers: [{ status: 503, body: 'later' }] });
  const pump = stage.startPump();
  await eventually(() => pump.promoted.length > 0);
  const later = await acceptedItems(stage.pool, 6, (index) => (index % 2 ? 1 : 2));
  await stage.webhook.waitForDeliveries(4);
  await pump.stop();

  t.deepEqual(pump.promoted, ids);
  const rows = new Map((await deliveryRows(stage.pool)).map(({ id, status }) => [id, status]));
  t.is(rows.get(ids[0]!), 'retrying');
  t.deepEqual(
    later.map((id) => rows.get(id)),
    ['delivered', 'pending', 'delivered', 'pending', 'delivered', 'pending'],
  );
  const { rows: attempts } = await stage.pool.query(
    "select status, response_body from attempts where outcome = 'rejected'",
  );
  t.deepEqual(attempts, [{ status: 503, response_body: Buffer.from('later') }]);
});

test('blocked deliveries follow in order after the retry is accepted', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 5);
  stage.webhook.set({ answers: [{ status: 503 }] });
  const pump = stage.startPump();
  await eventually(() => pump.promoted.length === 1);
  t.is(stage.webhook.deliveries().length, 1);

  const deliveryId = sequencedId(stage.idKey, 'delivery', pump.promoted[0]!);
  await stage.deliveryActivities.attemptDelivery({ deliveryId, attempt: 2, failedInSchedule: 1, retryDelayMs: 60_000 });
  const received = await stage.webhook.waitForDeliveries(6);
  await untilAll(stage, 'delivered');
  const sequence = received.map((request) => Number(JSON.parse(bodyOf(request)).n));
  t.deepEqual(
    sequence.slice(1),
    [...sequence.slice(1)].sort((a, b) => a - b),
  );
  t.is(sequence[0], sequence[1]);
  t.deepEqual(
    received.slice(0, 2).map(({ headers }) => headers['x-service-attempt']),
    ['1', '2'],
  );
});

test('an expired hold releases the deliveries behind a failing one', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 3);
  stage.webhook.set({ answers: [{ status: 500 }] });
  stage.startPump({ conversationHoldMs: 1 });
  await eventually(async () => (await statusesOf(stage)).join() === 'retrying,delivered,delivered');
  t.is(stage.webhook.deliveries().length, 3);
});

test('a stopped pump settles every row it has sent', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 40, (index) => index);
  stage.webhook.set({ then: { delayMs: 30 } });
  const pump = stage.startPump({ destinationInFlight: 4 });
  await stage.webhook.waitForDeliveries(8);
  const { settledCount } = await pump.stop();

  const received = stage.webhook.deliveries();
  t.true(received.length < 40);
  t.is(settledCount, received.length);
  const delivered = (await deliveryRows(stage.pool)).filter(({ status }) => status === 'delivered');
  t.is(delivered.length, received.length);
  stage.webhook.set({ then: null });
  stage.startPump();
  await untilAll(stage, 'delivered');
  t.is(stage.webhook.deliveries().length, 40);
});

test('each pump continues where the last one was stopped', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 60);
  stage.webhook.set({ then: { delayMs: 5 } });
  let pumps = 0;
  while ((await statusesOf(stage)).includes('pending')) {
    const pump = stage.startPump();
    await stage.webhook.waitForDeliveries(Math.min(60, ++pumps * 20));
    await pump.stop();
  }
  t.true(pumps > 1);
  t.is(new Set(idsOf(stage.webhook.deliveries())).size, 60);
  t.is(stage.webhook.deliveries().length, 60);
});
