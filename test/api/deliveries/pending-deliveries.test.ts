import test from 'ava';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { noTemporal, testApi } from '../../harness/api/api.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const cancelled = ['cancelled', null] as const;
const skipped = (reason: string) => ['skipped', reason] as const;
const untouched = ['pending', null] as const;

const rows = [
  { what: 'the webhook is cleared', route: 'DELETE /webhook-config/{ch}', webhook: cancelled, subscription: untouched },
  {
    what: 'the subscription is deleted',
    route: 'DELETE /channels/{ch}/subscriptions/{sub}',
    webhook: untouched,
    subscription: cancelled,
  },
  {
    what: 'the subscription is disabled by hand',
    route: 'PATCH /channels/{ch}/subscriptions/{sub}',
    body: { enabled: false },
    webhook: untouched,
    subscription: skipped('destination_disabled'),
  },
  {
    what: 'forwarding is turned off',
    route: 'POST /platform/channels/{ch}/disable',
    webhook: skipped('forwarding_disabled'),
    subscription: skipped('forwarding_disabled'),
  },
  {
    what: 'the channel is disconnected',
    route: 'POST /platform/channels/{ch}/disconnect',
    webhook: cancelled,
    subscription: cancelled,
  },
] as const;

for (const { what, route, webhook, subscription, ...others } of rows) {
  test(`${what}: webhook deliveries ${webhook[0]}, subscription deliveries ${subscription[0]}`, async (t) => {
    const cancelledIds: string[] = [];
    const temporal: WorkflowStarts = { ...noTemporal, cancelDeliveries: (ids) => void cancelledIds.push(...ids) };
    const { db, call, endVoid } = await testApi(t, { temporal });
    const { workspace, apiKey: key } = await aTenant(db);
    const channel = await aChannel(db, workspace);
    const bystander = await aChannel(db, workspace);
    const webhookId = await aWebhook(db, channel);
    const subscribedId = await aDestination(db, channel);
    await db('subscriptions').insert({
      public_id: 'sub_00000001',
      channel_id: channel.id,
      destination_id: subscribedId,
    });
    const twoWaiting = async (of: typeof channel, destinationId: number) => [
      await aLedgerDelivery(db, of, { destinationId }),
      await aLedgerDelivery(db, of, { destinationId, status: 'retrying', attemptCount: 1 }),
    ];
    const [toWebhook, toSubscription] = [await twoWaiting(channel, webhookId), await twoWaiting(channel, subscribedId)];
    const elsewhere = await twoWaiting(bystander, await aWebhook(db, bystander));
    const delivered = await aLedgerDelivery(db, channel, { destinationId: webhookId, status: 'delivered' });

    const path = route.replace('{ch}', channel.publicId).replace('{sub}', 'sub_00000001');
    const answer = await call(path, { key, workspace: workspace.publicId, ...others });
    t.true(answer.status < 300, JSON.stringify(answer.body));
    await endVoid();

    const endOf = async ({ id }: { id: number }) => {
      const row = await db('deliveries').where({ id }).first();
      return [row.status, row.skip_reason];
    };
    const expectedCancelled: string[] = [];
    for (const [[pending, retrying], end] of [
      [toWebhook, webhook],
      [toSubscription, subscription],
      [elsewhere, untouched],
    ] as const) {
      t.deepEqual(await endOf(pending!), [...end]);
      t.deepEqual(await endOf(retrying!), end === untouched ? ['retrying', null] : [...end]);
      if (end !== untouched) expectedCancelled.push(retrying!.publicId);
    }
    t.deepEqual(cancelledIds.sort(), expectedCancelled.sort(), 'only their workflows are cancelled');
    t.deepEqual(await endOf(delivered), ['delivered', null]);
  });
}
