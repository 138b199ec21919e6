import test, { type ExecutionContext } from 'ava';
import { retryDelivery, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { untilWorkflow, hasEnded } from '../../harness/system/workflow-view.ts';
import { connectedWith } from '../../harness/system/connected.ts';
import { deliveryWorkflowId } from '../../../contract/ids.ts';

for (const { ending, request, status } of [
  { ending: 'clearing the webhook', request: 'DELETE /webhook-config/{ch}', status: 204 },
  { ending: 'disconnecting the channel', request: 'POST /platform/channels/{ch}/disconnect', status: 200 },
]) {
  test(`${ending} cancels its pending deliveries`, async (t) => {
    const { api, connected, hook, untilWorkflowEnds } = await withWaiting(t);
    t.is((await api.call(request.replace('{ch}', connected.publicId))).status, status);
    await untilStatuses(api, { channel: connected, statuses: ['cancelled', 'cancelled'] });
    await untilWorkflowEnds();
    t.is(hook.deliveries().length, 1);
  });
}

test('disabled forwarding skips pending and new deliveries; enabling it sends none', async (t) => {
  const { api, connected, hook, sender, untilWorkflowEnds } = await withWaiting(t);

  t.is((await api.call(`POST /platform/channels/${connected.publicId}/disable`)).status, 200);
  await sender.message(connected);
  const skipped = ['forwarding_disabled', 'forwarding_disabled', 'forwarding_disabled'];
  const [first] = await untilStatuses(api, { channel: connected, statuses: skipped });
  await untilWorkflowEnds();
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
  const stage = await connectedWith(t, await sharedSystem(t), { then: { status: 503 } });
  const { api, connected, sender, temporal } = stage;
  await sender.message(connected);
  const [deliveryId = ''] = await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
  await sender.message(connected);
  await untilStatuses(api, { channel: connected, statuses: ['retrying', 'pending'] });
  const workflowId = deliveryWorkflowId(deliveryId);
  await untilWorkflow(temporal, workflowId);
  return { ...stage, untilWorkflowEnds: () => untilWorkflow(temporal, workflowId, hasEnded) };
}
