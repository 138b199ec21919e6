import test from 'ava';
import { retryDelivery, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';
import { deliveryWorkflowId } from '../../../contract/ids.ts';
import { untilWorkflow, hasEnded } from '../../harness/system/workflow-view.ts';
import { connectedWith, subscribedTo } from '../../harness/system/connected.ts';

test('a subscription is created, tested, edited and deleted with its pending deliveries', async (t) => {
  const { api, connected, first, second, route, sender, temporal } = await subscribedTo(t, await sharedSystem(t));

  const tested = await api.callUntilDone(`POST ${route}/test`);
  t.is(tested.status, 200, JSON.stringify(tested.body));
  t.like(tested.body.attempt, { outcome: 'accepted', status: 200 });
  const received = first.deliveries().find(({ headers }) => headers['webhook-id'] === tested.body.deliveryId);
  t.like(received, { signatureValid: true, standardSignatureValid: true });

  t.is((await api.call(`PATCH ${route}`, { url: 'http://10.1.2.3/' })).body.code, 'URL_NOT_ALLOWED');
  t.is((await api.callUntilDone(`PATCH ${route}`, { url: second.url })).status, 200);
  await sender.message(connected);
  await second.waitForDeliveries(1);
  await until(async () => (await api.call(`GET ${route}`)).body.subscription.lastDeliveredAt, { for: 'The time' });

  second.set({ then: { status: 500 } });
  await sender.message(connected);
  const [, deliveryId = ''] = await untilStatuses(api, { channel: connected, statuses: ['delivered', 'retrying'] });
  t.truthy((await api.call(`GET ${route}`)).body.subscription.lastFailureAt);
  await untilWorkflow(temporal, deliveryWorkflowId(deliveryId));
  t.is((await api.call(`DELETE ${route}`)).status, 204);
  await untilStatuses(api, { channel: connected, statuses: ['delivered', 'cancelled'] });
  await untilWorkflow(temporal, deliveryWorkflowId(deliveryId), hasEnded);
  t.is((await api.call(`GET ${route}`)).body.code, 'SUBSCRIPTION_NOT_FOUND');
  await sender.message(connected);
  await untilStatuses(api, { channel: connected, statuses: ['delivered', 'cancelled', 'no_destination'] });
});

test('the old and the new secret both verify deliveries during the overlap', async (t) => {
  const { api, connected, hook, sender } = await connectedWith(t, await sharedSystem(t));
  const route = `/webhook-config/${connected.publicId}`;
  const { hmacSecret: old } = (await api.call(`GET ${route}/hmac`)).body;
  const { body: rotated } = await api.call(`POST ${route}/rotate-hmac`, { overlapSeconds: 600 });
  let count = 0;
  for (const secret of [old, rotated.hmacSecret]) {
    hook.set({ secret });
    await sender.message(connected);
    const received = await hook.waitForDeliveries(++count);
    t.like(received.at(-1), { signatureValid: true, standardSignatureValid: true });
  }
  await api.call(`POST ${route}/rotate-hmac`, {});
  hook.set({ secret: old });
  await sender.message(connected);
  t.like((await hook.waitForDeliveries(++count)).at(-1), { signatureValid: false, standardSignatureValid: false });
});

test('an edit with pending=keep sends pending deliveries to the old URL', async (t) => {
  const then = { status: 503 };
  const { api, connected, hook: old, receiver, sender } = await connectedWith(t, await sharedSystem(t), { then });
  const present = receiver.webhook('present');
  present.set({ verifyToken: 'token' });
  await sender.message(connected);
  await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
  await sender.message(connected);
  const [first = '', second = ''] = await untilStatuses(api, {
    channel: connected,
    statuses: ['retrying', 'pending'],
  });

  const body = { webhookUrl: present.url, verifyToken: 'token' };
  t.is((await api.callUntilDone(`PUT /webhook-config/${connected.publicId}?pending=keep`, body)).status, 200);
  await sender.message(connected);
  await present.waitForDeliveries(1);
  old.set({ then: null });
  await retryDelivery(api, first);
  await untilStatuses(api, { channel: connected, statuses: ['delivered', 'delivered', 'delivered'] });
  t.deepEqual(
    old.deliveries().map(({ headers }) => headers['webhook-id']),
    [first, first, second],
  );
  t.is(present.deliveries().length, 1);

  const replayed = await api.call(`POST /deliveries/${first}/replay`, {});
  t.is(replayed.status, 202, JSON.stringify(replayed.body));
  t.is((await present.waitForDeliveries(2)).at(-1)!.headers['webhook-id'], replayed.body.deliveryId);
});
