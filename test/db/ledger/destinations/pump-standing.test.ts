import test from 'ava';
import { allShards } from '../../../../contract/deliveries/shards.ts';
import { acceptItems } from '../../../../db/ledger/accept.ts';
import { deleteDestination } from '../../../../db/ledger/destinations/destinations.ts';
import { readPumpStanding } from '../../../../db/ledger/destinations/pump-standing.ts';
import { shardOf } from '../../../harness/deliveries/shard-of.ts';
import {
  aSubscriptionDestination,
  anItem,
  aWebhookDestination,
  hotLedger,
  type HotLedger,
} from '../../../harness/deliveries/hot-ledger.ts';

const NOTHING = { destinationCount: 0, oldestWaitSeconds: 0, troubledCount: 0, troubled: [] };

const openSince = ({ pool }: HotLedger, id: number, seconds: number) =>
  pool.query(
    `update destinations set circuit = 'open', circuit_reason = 'failures', circuit_probe_at = now(),
       circuit_opened_at = now() - $2 * interval '1 second' where id = $1`,
    [id, seconds],
  );

/** Lets the first delivery of a destination have waited for longer. */
const waitedFor = ({ pool }: HotLedger, id: number, seconds: number) =>
  pool.query(
    `update deliveries set created_at = now() - $2 * interval '1 second'
     where id = (select min(id) from deliveries where destination_id = $1)`,
    [id, seconds],
  );

test('a standing covers the given shards only', async (t) => {
  const ledger = await hotLedger(t);
  const { pool, channel } = ledger;
  const { id, shard } = await aWebhookDestination(ledger, channel);
  const other = await aSubscriptionDestination(ledger, channel);
  const otherShard = shardOf(other);
  const further = allShards.filter((each) => each !== shard && each !== otherShard);
  await acceptItems(pool, [anItem(), anItem()]);
  await waitedFor(ledger, id, 100);
  await waitedFor(ledger, other, 9_000);
  const { oldestWaitSeconds, ...rest } = await readPumpStanding(pool, [shard, ...further]);
  t.deepEqual(rest, { destinationCount: 1, troubledCount: 0, troubled: [] });
  t.true(oldestWaitSeconds >= 100 && oldestWaitSeconds < 9_000, `${oldestWaitSeconds} s`);
  t.true((await readPumpStanding(pool, [shard, otherShard])).oldestWaitSeconds >= 9_000);
  t.deepEqual(await readPumpStanding(pool, further), NOTHING);
  t.deepEqual(await readPumpStanding(pool, []), NOTHING);
});

test('the oldest delivery waits for no circuit, rate or window', async (t) => {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id, shard } = await aWebhookDestination(ledger, channel);
  await acceptItems(pool, [anItem(), anItem()]);
  await waitedFor(ledger, id, 500);
  const oldest = async (options: object | null): Promise<number> => {
    await db('destinations')
      .where({ id })
      .update({ options: options && JSON.stringify(options) });
    return (await readPumpStanding(pool, [shard])).oldestWaitSeconds;
  };
  t.true((await oldest(null)) >= 500);
  t.is(await oldest({ requestsPerSecond: 1 }), 0);
  t.is(await oldest({ concurrency: 1 }), 0);
  const debounced = await oldest({ debounce: { seconds: 400 } });
  t.true(debounced >= 100 && debounced < 500, `${debounced} s`);
  await openSince(ledger, id, 10);
  t.is(await oldest(null), 0);
});

test('the longest open circuits have the names of their destinations', async (t) => {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id } = await aWebhookDestination(ledger, channel);
  const subscriptions: number[] = [];
  for (let count = 0; count < 11; count++) subscriptions.push(await aSubscriptionDestination(ledger, channel));
  for (const [index, each] of subscriptions.entries()) {
    await db('subscriptions').insert({
      public_id: `sub_000000${10 + index}`,
      channel_id: channel.id,
      destination_id: each,
    });
    await openSince(ledger, each, 100 - index);
  }
  await openSince(ledger, id, 200);
  const { troubledCount, troubled, destinationCount } = await readPumpStanding(pool, allShards);
  t.deepEqual([troubledCount, troubled.length, destinationCount], [12, 10, 12]);
  const channelId = channel.publicId;
  t.deepEqual(troubled.slice(0, 2), [
    { channelId, destination: 'webhook' },
    { channelId, destination: 'sub_00000010' },
  ]);
  await db.transaction((trx) => deleteDestination(trx, id));
  t.like(await readPumpStanding(pool, allShards), { troubledCount: 11, destinationCount: 11 });
});
