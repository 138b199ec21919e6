import test from 'ava';
import { allShards } from '../../contract/deliveries/shards.ts';
import { joinFleet, readShardService } from '../../db/ledger/shards/fleet.ts';
import { acquireLeases } from '../../db/ledger/shards/shard-leases.ts';
import { extendLeases } from '../harness/deliveries/extend-leases.ts';
import { hotLedger } from '../harness/deliveries/hot-ledger.ts';

test('the longest unserved shard counts, and all of them', async (t) => {
  const { db, pool } = await hotLedger(t, { prepare: extendLeases });
  const since = (seconds: number) => db.raw(`now() - ${seconds} * interval '1 second'`);
  await db('installation').update({ created_at: since(900) });
  await joinFleet(pool, { holder: 'host', roles: ['pump'] });
  await acquireLeases(pool, { shards: allShards.slice(1), holder: 'host' });
  await db('shard_leases')
    .where({ shard: 7 })
    .update({ holder: '', released_at: since(100) });

  const one = await readShardService(pool);
  t.is(one.unservedCount, 2);
  t.true(one.unservedSeconds >= 900, 'the shard without a lease counts since the installation');

  await acquireLeases(pool, { shards: [0], holder: 'host' });
  const other = await readShardService(pool);
  t.is(other.unservedCount, 1);
  t.true(other.unservedSeconds >= 100 && other.unservedSeconds < 900);

  await acquireLeases(pool, { shards: [7], holder: 'host' });
  t.deepEqual(await readShardService(pool), { unservedCount: 0, unservedSeconds: 0 });

  await db('workers').delete();
  const none = await readShardService(pool);
  t.is(none.unservedCount, allShards.length, 'the leases of a worker end with it');
  t.true(none.unservedSeconds < 900, 'since when is not known, but not before they were acquired');
});
