import test from 'ava';
import { channelStage } from '../../harness/api/stages.ts';
import { aSubscriptionDestination } from '../../harness/deliveries/hot-ledger.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';

test('a dry run reports the rate of an unverified subscription', async (t) => {
  const { db, call, key, channel } = await channelStage(t);
  await aWebhook(db, channel, { url: 'https://own.example.com/hook' });
  const destinationId = await aSubscriptionDestination({ db }, channel);
  await db('subscriptions').insert({
    public_id: 'sub_00000001',
    channel_id: channel.id,
    destination_id: destinationId,
  });
  const span = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z', statuses: ['delivered'] };
  const ask = async (more: object) => {
    const body = { ...span, scope: `channel:${channel.publicId}`, ratePerSecond: 500, dryRun: true, ...more };
    const { ratePerSecond, unverifiedDestinations } = (await call('POST /replays', { key, body })).body;
    return [ratePerSecond, unverifiedDestinations];
  };
  t.deepEqual(await ask({ destination: 'sub_00000001' }), [10, 1]);
  t.deepEqual(await ask({ destination: 'sub_00000001', ratePerSecond: 3 }), [3, 1]);
  t.deepEqual(await ask({ destination: 'webhook' }), [500, 0]);
  t.deepEqual(await ask({}), [500, 1]);
  await aWebhook(db, channel, { url: 'https://receiver.example.com/hook' });
  t.deepEqual(await ask({ destination: 'sub_00000001' }), [500, 0]);
});
