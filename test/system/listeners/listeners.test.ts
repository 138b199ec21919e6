import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import type { ApiClient } from '../../harness/system/api-client.ts';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';
import { type SharedSystem, sharedSystem } from '../../harness/system/shared-system.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { connectedWith } from '../../harness/system/connected.ts';
import { untilReaderWaits } from '../../harness/system/sessions.ts';

async function withListener<S extends SharedSystem | System>(t: ExecutionContext, system: S) {
  const stage = await connectedWith(t, system);
  const { api, connected } = stage;
  const made = await api.call(`POST /channels/${connected.publicId}/listeners`, { label: 'test' });
  t.is(made.status, 201, JSON.stringify(made.body));
  const path = `/channels/${connected.publicId}/listeners/${made.body.listenerId}`;
  const { body: hmac } = await api.call(`GET /webhook-config/${connected.publicId}/hmac`);
  return { ...stage, path, secret: hmac.hmacSecret as string };
}

function untilRead(api: ApiClient, { path, count }: { path: string; count: number }) {
  return until(
    async () => {
      const { body } = await api.call(`GET ${path}/deliveries?limit=10`);
      return body.deliveries.length === count && body;
    },
    { for: 'The deliveries of the listener' },
  );
}

const delivered = (count: number) => Array.from({ length: count }, () => 'delivered');

test('a listener reads missed deliveries signed and in order beside a webhook', async (t) => {
  const { api, connected, hook, path, secret, sender } = await withListener(t, await sharedSystem(t));
  const sent: string[] = [];
  for (const text of ['one', 'two', 'three']) sent.push(await sender.message(connected, { text }));
  const read = await untilRead(api, { path, count: 3 });
  for (const { headers, payload } of read.deliveries) {
    t.notThrows(() => new Webhook(secret).verify(payload, headers));
  }
  t.deepEqual(
    read.deliveries.map(({ payload }: { payload: string }) => sent.findIndex((id) => payload.includes(id))),
    [0, 1, 2],
  );
  await hook.waitForDeliveries(3);
  const deliveries = read.deliveries.map(({ deliveryId }: { deliveryId: string }) => ({
    deliveryId,
    outcome: 'accepted',
    status: 200,
  }));
  t.deepEqual((await api.call(`POST ${path}/acknowledge`, { deliveries })).body, { acknowledged: 3 });
  await untilStatuses(api, { channel: connected, statuses: delivered(6) });

  await sender.message(connected);
  t.is((await api.call(`DELETE ${path}`)).status, 204);
  await untilStatuses(api, { channel: connected, statuses: [...delivered(7), 'cancelled'] });
});

test('a new delivery or a stopping API answers a waiting reader', async (t) => {
  // The long stop timeout exposes readers and connections that stay open.
  const started = await startSystem(t, { apis: 2, env: { SHUTDOWN_GRACE_SECONDS: '600' } });
  const { api, apiClients, apis, connected, path, sender, ...system } = await withListener(t, started);
  const otherApi = apiClients[1]!;
  const waiting = otherApi.call(`GET ${path}/deliveries?waitSeconds=25`);
  await untilReaderWaits(system.db);
  const messageId = await sender.message(connected);
  const { body } = await waiting;
  t.is(body.deliveries.length, 1);
  t.true(body.deliveries[0].payload.includes(messageId));
  const deliveries = [{ deliveryId: body.deliveries[0].deliveryId, outcome: 'accepted', status: 200 }];
  t.deepEqual((await api.call(`POST ${path}/acknowledge`, { deliveries })).body, { acknowledged: 1 });

  const behind = otherApi.call(`GET ${path}/deliveries?waitSeconds=25&cursor=${body.nextCursor}`);
  await untilReaderWaits(system.db);
  const stopped = apis[1]!.stop();
  t.deepEqual((await behind).body, { deliveries: [], nextCursor: body.nextCursor });
  await stopped;
});
