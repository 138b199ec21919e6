import test, { type ExecutionContext } from 'ava';
import { retryDelivery, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';
import { viewDelivery } from '../../harness/system/workflow-view.ts';

test('clearing the webhook cancels its pending deliveries', async (t) => {
  const { api, connected, hook, isWorkflowOver } = await withWaiting(t);

  t.is((await api.call(`DELETE /webhook-config/${connected.publicId}`)).status, 204);
  await untilStatuses(api, { channel: connected, statuses: ['cancelled', 'cancelled'] });

  await until(isWorkflowOver, { for: 'The end of the workflow' });
  t.is(hook.deliveries().length, 1);
});

test('disconnecting the channel cancels its pending deliveries', async (t) => {
  const { api, connected, hook, isWorkflowOver } = await withWaiting(t);

  const answer = await api.call(`POST /platform/channels/${connected.publicId}/disconnect`);
  t.is(answer.status, 200);
  t.false(answer.body.connected);
  await untilStatuses(api, { channel: connected, statuses: ['cancelled', 'cancelled'] });

  await until(isWorkflowOver, { for: 'The end of the workflow' });
  t.is(hook.deliveries().length, 1);
});

test('disabled forwarding skips pending and new deliveries; enabling it sends none', async (t) => {
  const { api, connected, hook, isWorkflowOver, sender } = await withWaiting(t);

  t.is((await api.call(`POST /platform/channels/${connected.publicId}/disable`)).status, 200);
  await sender.message(connected);
  const skipped = ['forwarding_disabled', 'forwarding_disabled', 'forwarding_disabled'];
  const [first] = await untilStatuses(api, { channel: connected, statuses: skipped });
  await until(isWorkflowOver, { for: 'The end of the workflow' });
  t.is((await api.call(`POST /deliveries/${first}/retry`)).body.code, 'CHANNEL_FORWARDING_DISABLED');

  hook.set({ then: null });
  t.is((await api.call(`POST /platform/channels/${connected.publicId}/enable`)).status, 200);
  await sender.message(connected);
  const ids = await untilStatuses(api, { channel: connected, statuses: [...skipped, 'delivered'] });
  t.deepEqual(
    hook.deliveries().map(({ headers }) => headers['webhook-id']),
    [ids[0], ids[3]],
  );

  await retryDelivery(api, ids[0]!);
  const retried = ['delivered', 'forwarding_disabled', 'forwarding_disabled', 'delivered'];
  await untilStatuses(api, { channel: connected, statuses: retried });
});

test('a retry delivers a skipped event to a webhook set later', async (t) => {
  const { api, channel, receiver, ...system } = await sharedSystem(t);
  const sender = await startSender(t, system);
  const connected = await channel();
  await sender.message(connected);
  const [deliveryId = ''] = await untilStatuses(api, { channel: connected, statuses: ['no_destination'] });
  t.is((await api.call(`POST /deliveries/${deliveryId}/retry`)).body.code, 'DELIVERY_ENDED');

  const hook = receiver.webhook('set-later');
  hook.set({ verifyToken: 'token' });
  const body = { webhookUrl: hook.url, verifyToken: 'token' };
  t.is((await api.callUntilDone(`PUT /webhook-config/${connected.publicId}`, body)).status, 200);
  await retryDelivery(api, deliveryId);
  await untilStatuses(api, { channel: connected, statuses: ['delivered'] });

  t.is((await hook.waitForDeliveries(1))[0]!.headers['webhook-id'], deliveryId);
});

/** One delivery waits in its workflow, the next one in the ledger. */
async function withWaiting(t: ExecutionContext) {
  const { api, channel, receiver, temporal, ...system } = await sharedSystem(t);
  const sender = await startSender(t, system);
  const hook = receiver.webhook('waiting');
  hook.set({ then: { status: 503 } });
  const connected = await channel({ webhookUrl: hook.url });
  await sender.message(connected);
  const [deliveryId = ''] = await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
  await sender.message(connected);
  await untilStatuses(api, { channel: connected, statuses: ['retrying', 'pending'] });
  await until(() => viewDelivery(temporal, deliveryId).catch(() => undefined), { for: 'The workflow' });
  const isWorkflowOver = async (): Promise<boolean> => (await viewDelivery(temporal, deliveryId)).status !== 'RUNNING';
  return { api, connected, hook, isWorkflowOver, sender };
}
