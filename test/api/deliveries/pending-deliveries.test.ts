import test from 'ava';
import { webhookStage } from '../../harness/api/stages.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';

const cancelled = ['cancelled', null] as const;
const skipped = (reason: string) => ['skipped', reason] as const;
const untouched = ['pending', null] as const;
const subscription = '/channels/{ch}/subscriptions/{sub}';

interface Row {
  readonly what: string;
  readonly route: string;
  readonly body?: object;
  readonly shows?: object;
  readonly repeat: number;
  /** Ended deliveries are not sent after it. */
  readonly undo?: readonly [route: string, body?: object];
  readonly ends: Readonly<Record<'webhook' | 'subscription', readonly [status: string, reason: string | null]>>;
}

const rows: readonly Row[] = [
  {
    what: 'the webhook is cleared',
    route: 'DELETE /webhook-config/{ch}',
    repeat: 204,
    ends: { webhook: cancelled, subscription: untouched },
  },
  {
    what: 'the subscription is deleted',
    route: `DELETE ${subscription}`,
    repeat: 404,
    ends: { webhook: untouched, subscription: cancelled },
  },
  {
    what: 'the subscription is disabled by hand',
    route: `PATCH ${subscription}`,
    body: { enabled: false },
    shows: { subscription: { enabled: false } },
    repeat: 200,
    undo: [`PATCH ${subscription}`, { enabled: true }],
    ends: { webhook: untouched, subscription: skipped('destination_disabled') },
  },
  {
    what: 'forwarding is turned off',
    route: 'POST /platform/channels/{ch}/disable',
    shows: { forwardingEnabled: false, connected: true },
    repeat: 200,
    undo: ['POST /platform/channels/{ch}/enable'],
    ends: { webhook: skipped('forwarding_disabled'), subscription: skipped('forwarding_disabled') },
  },
  {
    what: 'the channel is disconnected',
    route: 'POST /platform/channels/{ch}/disconnect',
    repeat: 200,
    shows: { connected: false },
    ends: { webhook: cancelled, subscription: cancelled },
  },
];

for (const { what, route, body, shows, repeat, undo, ends } of rows) {
  test(`${what}: webhook deliveries ${ends.webhook[0]}, subscription deliveries ${ends.subscription[0]}`, async (t) => {
    const cancelledIds: string[] = [];
    const temporal = { cancelDeliveries: (ids: readonly string[]) => void cancelledIds.push(...ids) };
    const { db, call, endVoid, workspace, channel, destinationId, at, deliver } = await webhookStage(t, {
      starts: temporal,
    });
    const bystander = await aChannel(db, workspace);
    const subscribedId = await aDestination(db, channel);
    const subscribed = { public_id: 'sub_00000001', channel_id: channel.id, destination_id: subscribedId };
    await db('subscriptions').insert(subscribed);
    const twoWaiting = async (of: typeof channel, to: number) => {
      const pending = await aLedgerDelivery(db, of, { destinationId: to });
      const retrying = await aLedgerDelivery(db, of, { destinationId: to, status: 'retrying', attemptCount: 1 });
      const hold = { destination_id: to, conversation_key: 1, until_at: new Date(Date.now() + 60_000) };
      await db('conversation_holds').insert({ ...hold, delivery_id: retrying.id });
      return { to, pending, retrying };
    };
    const toWebhook = await twoWaiting(channel, destinationId);
    const toSubscription = await twoWaiting(channel, subscribedId);
    const elsewhere = await twoWaiting(bystander, await aWebhook(db, bystander));
    const delivered = await deliver({ status: 'delivered' });
    const send = (to: string, given?: object) =>
      call(to.replace('{ch}', channel.publicId).replace('{sub}', 'sub_00000001'), {
        ...at,
        ...(given && { body: given }),
      });

    const answer = await send(route, body);

    t.true(answer.status < 300, JSON.stringify(answer.body));
    if (shows) t.like(answer.body, shows);
    await endVoid();
    t.is((await send(route, body)).status, repeat, 'a repeat');
    if (undo) t.is((await send(...undo)).status, 200);
    const endOf = async ({ id }: { id: number }) => {
      const row = await db('deliveries').where({ id }).first();
      return [row.status, row.skip_reason];
    };
    const expectedCancelled: string[] = [];
    for (const [{ to, pending, retrying }, end] of [
      [toWebhook, ends.webhook],
      [toSubscription, ends.subscription],
      [elsewhere, untouched],
    ] as const) {
      t.deepEqual(await endOf(pending), [...end]);
      t.deepEqual(await endOf(retrying), end === untouched ? ['retrying', null] : [...end]);
      t.is((await db('conversation_holds').where({ destination_id: to })).length, end === untouched ? 1 : 0);
      if (end !== untouched) expectedCancelled.push(retrying.publicId);
    }
    t.deepEqual(cancelledIds.sort(), expectedCancelled.sort(), 'only their workflows are cancelled');
    t.deepEqual(await endOf(delivered), ['delivered', null]);
  });
}
