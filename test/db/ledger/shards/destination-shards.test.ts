import test from 'ava';
import { allShards, SHARD_COUNT } from '../../../../contract/deliveries/shards.ts';
import { LISTENER_SHARD } from '../../../../db/ledger/destinations/destinations.ts';
import {
  aSubscriptionDestination,
  aWebhookDestination,
  deliveryRows,
  acceptedItems,
  hotLedger,
} from '../../../harness/deliveries/hot-ledger.ts';
import { shardOf } from '../../../harness/deliveries/shard-of.ts';
import { aListener } from '../../../harness/listeners/listeners.ts';

test("a destination's shard follows from its id", async (t) => {
  const ledger = await hotLedger(t);
  const { db, channel } = ledger;
  await aWebhookDestination(ledger, channel);
  await aSubscriptionDestination(ledger, channel);
  for (const id of [SHARD_COUNT - 1, SHARD_COUNT, 3 * SHARD_COUNT + 7])
    await db.raw(
      `insert into destinations (id, channel_id, type, url, event_types) overriding system value
       values (?, ?, 'subscription', 'https://a.example/', '{chatapp.message.received}')`,
      [id, channel.id],
    );
  const rows = await db<{ id: number; shard: number }>('destinations').select('id', 'shard');
  t.is(rows.length, 5);
  for (const { id, shard } of rows) {
    t.is(shard, shardOf(id));
    t.true(allShards.includes(shard));
  }
});

test('a few consecutive destinations are spread over all workers', (t) => {
  const quarters = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => Math.floor(shardOf(id) / (SHARD_COUNT / 4)));
  t.deepEqual([...new Set(quarters)].toSorted(), [0, 1, 2, 3]);
});

test('deliveries have the shard of their destination', async (t) => {
  const ledger = await hotLedger(t);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  await aListener(ledger.db, ledger.channel);
  await acceptedItems(ledger.pool, 2);
  for (const { destination_id: of, shard } of await deliveryRows(ledger.pool))
    t.is(shard, of === id ? shardOf(id) : LISTENER_SHARD);
});

test('no statement writes the shard of a destination', async (t) => {
  const ledger = await hotLedger(t);
  const { db, channel } = ledger;
  const { id, shard } = await aWebhookDestination(ledger, channel);
  const row = { channel_id: channel.id, type: 'webhook', url: 'https://a.example/', kept_for: id };
  for (const wanted of [shard, shard + 1, LISTENER_SHARD]) {
    await t.throwsAsync(db('destinations').insert({ ...row, shard: wanted }), { message: /cannot insert a non-DEFAULT value into column "shard"/ }); // prettier-ignore
    await t.throwsAsync(db('destinations').where({ id }).update({ shard: wanted }), { message: /column "shard" can only be updated to DEFAULT/ }); // prettier-ignore
  }
  await db('destinations').where({ id }).update({ ordering: 'none' });
  t.deepEqual(await db('destinations').pluck('shard'), [shard]);
});
