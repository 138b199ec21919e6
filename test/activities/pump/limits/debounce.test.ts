import test from 'ava';
import { nameEvents, presentRequest } from '../../../../api/deliveries/present-request.ts';
import { batchText } from '../../../../contract/deliveries/batch.ts';
import { sequencedId } from '../../../../contract/ids.ts';
import { listSentRequests } from '../../../../db/deliveries/sent-requests.ts';
import { insertReplayedDelivery } from '../../../../db/ledger/replays/replay-delivery.ts';
import { itemsOf, passWindows, setDebounce } from '../../../harness/deliveries/debounced.ts';
import { accepted, anItem, deliveryRows, acceptedItems } from '../../../harness/deliveries/hot-ledger.ts';
import { pumpStage, type PumpStage, statusesOf, untilAll } from '../../../harness/deliveries/pump-stage.ts';
import { eventually } from '../../../harness/eventually.ts';
import { pluck } from '../../../harness/pluck.ts';

const idsOf = ({ idKey }: PumpStage, ids: readonly number[]) => ids.map((id) => sequencedId(idKey, 'delivery', id));

const sentIds = ({ webhook }: PumpStage) =>
  webhook.deliveries().map((request) => itemsOf(request).map(({ deliveryId }) => deliveryId));

test('the events of a conversation arrive as one signed array', async (t) => {
  const stage = await pumpStage(t);
  await setDebounce(stage, { seconds: 60 });
  const ids = await acceptedItems(stage.pool, 3);
  stage.startPump();
  await passWindows(stage);
  await untilAll(stage, 'delivered');

  const [request] = stage.webhook.deliveries();
  t.deepEqual(sentIds(stage), [idsOf(stage, ids)]);
  t.true(request!.signatureValid);
  t.true(request!.standardSignatureValid);
  t.is(request!.headers['x-service-event-count'], '3');
  t.regex(String(request!.headers['webhook-id']), /^wb_[0-9a-f]{24}$/);
  t.is(request!.headers['x-service-delivery-id'], undefined);
  const [first] = itemsOf(request!);
  t.like(first, { eventType: 'chatapp.message.received', attempt: 1 });
  t.regex(first!.eventId, /^evt_/);
  t.deepEqual(Object.keys(first!.event as object), ['n']);
  const attempts = await stage.db('attempts').orderBy('delivery_id');
  t.deepEqual(
    attempts.map(({ delivery_id, number, batch }) => ({ delivery_id, number, batch: batch.map(Number) })),
    ids.map((id) => ({ delivery_id: id, number: 1, batch: ids })),
  );
});

test('each delivery of a request shows what was sent', async (t) => {
  const { db, idKey, ...stage } = await pumpStage(t);
  await setDebounce({ db, ...stage }, { seconds: 60 });
  const ids = await accepted(stage.pool, [anItem({ eventFlags: 'echo' }), anItem()]);
  await passWindows({ db });
  stage.startPump();
  await eventually(async () => (await db('deliveries').where({ status: 'delivered' })).length === 2);
  const [received] = stage.webhook.deliveries();
  const bodies: Buffer[] = await db('events').orderBy('id').pluck('body');
  for (const id of ids) {
    const [recorded] = await listSentRequests(db, id);
    const none = { deliveryId: '', eventId: '', eventType: '' };
    const { headers, bodySha256, events } = presentRequest(nameEvents(recorded!, idKey), none);
    t.like(received!.headers, headers);
    t.is(bodySha256, received!.sha256);
    const text = batchText(events!.map((event, index) => ({ ...event, payload: String(bodies[index]) })));
    t.is(text, Buffer.from(received!.bodyBase64!, 'base64').toString());
    t.deepEqual(pluck(events!, 'eventFlags'), ['echo', null]);
  }
});

test('a failed request is one failure and takes along later events', async (t) => {
  const stage = await pumpStage(t);
  await setDebounce(stage, { seconds: 60 });
  stage.webhook.set({ answers: [{ status: 500 }] });
  const ids = await acceptedItems(stage.pool, 6);
  await passWindows(stage);
  const pump = stage.startPump();
  await untilAll(stage, 'retrying');
  const rows = await stage.db('deliveries').select('pump_retries', 'next_attempt_at', 'attempt_count');
  t.true(rows.every(({ pump_retries, attempt_count }) => pump_retries && attempt_count === 1));
  t.is(new Set(rows.map(({ next_attempt_at }) => next_attempt_at <= rows[0].next_attempt_at)).size, 1);
  t.like(await stage.db('destinations').first('circuit', 'consecutive_failures'), {
    circuit: 'closed',
    consecutive_failures: 1,
  });
  t.deepEqual(pump.promoted, []);

  const [later] = await acceptedItems(stage.pool, 1);
  await stage.db('deliveries').where({ status: 'retrying' }).update({ next_attempt_at: new Date() });
  await stage
    .db('deliveries')
    .where({ id: later })
    .update({ created_at: new Date(0) });
  await untilAll(stage, 'delivered');
  const sent = stage.webhook.deliveries().map((request) => itemsOf(request));
  t.deepEqual(sent[1]!.map(({ deliveryId }) => deliveryId).slice(0, 6), idsOf(stage, ids));
  t.deepEqual(sent[1]!.map(({ attempt }) => attempt).slice(0, 6), [2, 2, 2, 2, 2, 2]);
  t.not(stage.webhook.deliveries()[0]!.headers['webhook-id'], stage.webhook.deliveries()[1]!.headers['webhook-id']);
});

test('switching on and off loses nothing and keeps the order', async (t) => {
  const stage = await pumpStage(t);
  await setDebounce(stage, { seconds: 60 });
  const first = await acceptedItems(stage.pool, 2);
  stage.startPump();
  await setDebounce(stage, null);
  await untilAll(stage, 'delivered');
  await setDebounce(stage, { seconds: 60 });
  const second = await acceptedItems(stage.pool, 2);
  await passWindows(stage);
  await untilAll(stage, 'delivered');
  const requests = stage.webhook.deliveries();
  t.deepEqual(
    requests.slice(0, 2).map(({ headers }) => headers['x-service-delivery-id']),
    idsOf(stage, first),
  );
  t.deepEqual(pluck(itemsOf(requests[2]!), 'deliveryId'), idsOf(stage, second));
  t.is(requests.length, 3);
});

test('a requested retry and a replay send one event of a batch', async (t) => {
  const stage = await pumpStage(t);
  const { db, deliveryActivities, idKey, webhook } = stage;
  await setDebounce(stage, { seconds: 60 });
  webhook.set({ answers: [{ status: 500 }] });
  const ids = await acceptedItems(stage.pool, 2);
  await passWindows(stage);
  stage.startPump();
  await untilAll(stage, 'retrying');
  await db('deliveries').where({ id: ids[0] }).update({ pump_retries: false });
  const deliveryId = sequencedId(idKey, 'delivery', ids[0]!);
  const input = { deliveryId, attempt: 2, failedInSchedule: 1, isRequested: true, retryDelayMs: 1_000 };
  t.is((await deliveryActivities.attemptDelivery(input)).status, 'delivered');
  t.deepEqual(sentIds(stage)[1], [deliveryId]);
  t.true(webhook.deliveries()[1]!.signatureValid);

  await db('deliveries').where({ status: 'retrying' }).update({ next_attempt_at: new Date() });
  await untilAll(stage, 'delivered');
  const sourceAndTarget = { sourceId: ids[1]!, destinationId: stage.destination.id };
  const replayedId = await db.transaction((trx) => insertReplayedDelivery(trx, sourceAndTarget));
  await eventually(async () => (await statusesOf(stage)).length === 3);
  await untilAll(stage, 'delivered');
  t.deepEqual(sentIds(stage)[3], idsOf(stage, [replayedId]));
});

test('an unreadable body postpones its delivery alone', async (t) => {
  const stage = await pumpStage(t);
  await setDebounce(stage, { seconds: 60 });
  const ids = await acceptedItems(stage.pool, 3);
  const { event_id } = (await deliveryRows(stage.pool))[1]!;
  await stage.db('events').where({ id: event_id }).update({ body_key_id: 'lost' });
  await passWindows(stage);
  stage.startPump();
  await eventually(async () => (await statusesOf(stage))[0] === 'delivered');
  t.is((await statusesOf(stage))[1], 'retrying');
  t.true(sentIds(stage).every((sent) => !sent.includes(sequencedId(stage.idKey, 'delivery', ids[1]!))));
});
