import test from 'ava';
import { setOptions } from '../../../harness/deliveries/debounced.ts';
import { nameEvents, presentRequest } from '../../../../api/deliveries/present-request.ts';
import { sequencedId } from '../../../../contract/ids.ts';
import { listSentRequests } from '../../../../db/deliveries/sent-requests.ts';
import type { ReceivedRequest } from '../../../../simulator/receiver/scripted-webhook.ts';
import { tablesWith } from '../../../harness/database/tables-with.ts';
import { pumpStage, type PumpStage, untilAll } from '../../../harness/deliveries/pump-stage.ts';
import { eventually } from '../../../harness/eventually.ts';
import { acceptedItems } from '../../../harness/deliveries/hot-ledger.ts';

const SECRET = 'canary9b21';
/** Of the connection, and therefore not recorded. */
const connectionHeaders = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'accept']);

async function shownRequests({ db, idKey }: PumpStage, id: number) {
  const { event_id } = await db('deliveries').where({ id }).first('event_id');
  const ids = {
    deliveryId: sequencedId(idKey, 'delivery', id),
    eventId: sequencedId(idKey, 'event', event_id),
    eventType: 'chatapp.message.received',
  };
  return (await listSentRequests(db, id)).map((one) => presentRequest(nameEvents(one, idKey), ids));
}

/** The headers that a receiver got, with the secret ones redacted. */
function receivedHeaders({ headers }: ReceivedRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !connectionHeaders.has(name))
      .map(([name, value]) => [name, ['authorization', 'x-api-key'].includes(name) ? '[redacted]' : value]),
  );
}

test('each attempt of the pump and of a workflow records its request', async (t) => {
  const stage = await pumpStage(t);
  const authentication = { type: 'basic', username: 'hooks', password: SECRET } as const;
  await setOptions(stage, { headers: { 'x-api-key': SECRET }, authentication });
  const [id] = await acceptedItems(stage.pool, 1);
  stage.webhook.set({ then: { status: 500 } });
  const pump = stage.startPump({ scheduleMs: [1, 1, 60_000] });
  await eventually(() => pump.promoted.length === 1);
  await pump.stop();
  const moved = `${stage.webhook.url}?moved=1`;
  await stage.db('destinations').where({ id: stage.destination.id }).update({ url: moved });
  stage.webhook.set({ then: { status: 200 } });
  const deliveryId = sequencedId(stage.idKey, 'delivery', id!);
  const input = { deliveryId, attempt: 4, failedInSchedule: 3, retryDelayMs: 60_000 };
  t.is((await stage.deliveryActivities.attemptDelivery(input)).status, 'delivered');

  const requests = await shownRequests(stage, id!);
  const received = stage.webhook.deliveries();
  t.is(received.length, 4);
  t.deepEqual(
    requests.map(({ attempt, url }) => [attempt, url]),
    [1, 2, 3, 4].map((attempt) => [attempt, attempt === 4 ? moved : stage.webhook.url]),
  );
  for (const [index, { headers, bodySha256 }] of requests.entries()) {
    t.deepEqual(headers, receivedHeaders(received[index]!));
    t.is(bodySha256, received[index]!.sha256);
  }
  const basic = Buffer.from(`hooks:${SECRET}`).toString('base64');
  for (const text of [SECRET, basic]) t.deepEqual(await tablesWith(stage.db, text), []);
});

test('the probe of an open circuit records its request', async (t) => {
  const stage = await pumpStage(t);
  const ids = await acceptedItems(stage.pool, 6, (index) => index);
  stage.webhook.set({ then: { status: 500 } });
  const pump = stage.startPump();
  await eventually(() => pump.signalledIds.length > 0);
  await pump.stop();
  const { id: destinationId } = stage.destination;
  const sentBefore = stage.webhook.deliveries().length;
  stage.webhook.set({ then: { status: 200 } });
  const probe = { destinationId, probesMade: 0, delayMs: 1_000, isRequested: true };
  t.is((await stage.circuitActivities.probeDestination(probe)).status, 'closed');

  const probed = stage.webhook.deliveries()[sentBefore]!;
  const all = (await Promise.all(ids.map((id) => shownRequests(stage, id)))).flat();
  const isProbed = (name: string, value: string | undefined) => value === probed.headers[name];
  const shown = all.find(({ headers }) =>
    ['webhook-id', 'x-service-attempt'].every((name) => isProbed(name, headers[name])),
  );
  t.deepEqual(shown?.headers, receivedHeaders(probed));
});

test('a refused address records no request', async (t) => {
  const stage = await pumpStage(t);
  const [id] = await acceptedItems(stage.pool, 1);
  await stage.db('destinations').where({ id: stage.destination.id }).update({ url: 'http://10.0.0.1/' });
  stage.startPump();
  await untilAll(stage, 'retrying');
  t.like(await stage.db('attempts').where({ delivery_id: id }).first(), { outcome: 'blocked', request: null });
  t.deepEqual(await shownRequests(stage, id!), []);
});
