import test from 'ava';
import { listDestinationHealth } from '../../../db/destinations/health.ts';
import { accepted, anItem, aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';

test('the health of a moving destination counts the deliveries of both shards', async (t) => {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id, shard } = await aWebhookDestination(ledger, channel);
  const [oldest, former] = await accepted(pool, [anItem(), anItem(), anItem()]);
  const formerShard = shard + 1;
  await db('deliveries').whereIn('id', [oldest!, former!]).update({ shard: formerShard });
  const createdAt = new Date(Date.now() - 600_000);
  await db('deliveries').where({ id: oldest! }).update({ created_at: createdAt });
  await db('moving_destinations').insert({ destination_id: id, shard, former_shard: formerShard });
  const [health] = await listDestinationHealth(db, channel.id);
  t.like(health, { pendingCount: 3, retryingCount: 0, oldestWaitingAt: createdAt });
});
