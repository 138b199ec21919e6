import test from 'ava';
import { markSeen } from '../../../db/ledger/shards/fleet.ts';
import { acquireLeases } from '../../../db/ledger/shards/shard-leases.ts';
import { createShowShards } from '../../../worker/upkeep-tasks.ts';
import type { ShardStart } from '../../../workflows/workflow-types.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';

/** Live however slow the machine is. */
const LATER = new Date(Date.now() + 3_600_000);

test('the workflow of a retired shard is asked until it has ended', async (t) => {
  const { db, pool } = await hotLedger(t);
  await db('installation').update({ delivery_shards: 4 });
  await acquireLeases(pool, { shards: [1, 2, 3], holder: 'former' });
  await markSeen(pool, { holder: 'live', roles: ['pump'] });
  await markSeen(pool, { holder: 'main only', roles: ['main'] });
  await db('workers').update({ seen_at: LATER });
  const started: number[][] = [];
  let asked: ShardStart[] = [];
  const running = new Set([2, 3]);
  const showShards = createShowShards({
    pool,
    starts: {
      startShards: async (shards) => void started.push(shards.map(({ shard }) => shard)),
      signalRetiredShard: async (retired) => (asked.push(retired), running.has(retired.shard)),
    },
  });
  const askedShards = async (): Promise<number[]> => {
    asked = [];
    await showShards();
    return asked.map(({ shard }) => shard);
  };
  t.deepEqual(await askedShards(), []);
  await db('installation').update({ delivery_shards: 1 });
  t.deepEqual(await askedShards(), [1, 2, 3]);
  t.deepEqual(asked[1], { shard: 2, holder: { holder: 'live', fence: 1 } });
  running.delete(3);
  t.deepEqual(await askedShards(), [2, 3]);
  t.deepEqual(await askedShards(), [2]);
  await db('shard_leases').where({ shard: 3 }).update({ fence: 2 });
  t.deepEqual(await askedShards(), [2, 3], 'served again in between');
  await db('workers').delete();
  t.deepEqual(await askedShards(), [], 'no worker could answer');
  t.deepEqual(started.slice(0, 2), [[0, 1, 2, 3], [0]]);
});

test('a retired shard is asked again after a failed call', async (t) => {
  const { db, pool } = await hotLedger(t);
  await db('installation').update({ delivery_shards: 1 });
  await acquireLeases(pool, { shards: [1], holder: 'former' });
  await markSeen(pool, { holder: 'live', roles: ['pump'] });
  await db('workers').update({ seen_at: LATER });
  let calls = 0;
  const signalRetiredShard = async (): Promise<boolean> => {
    if (++calls === 1) throw new Error('unreachable');
    return false;
  };
  const showShards = createShowShards({ pool, starts: { startShards: async () => undefined, signalRetiredShard } });
  await t.throwsAsync(showShards(), { message: 'unreachable' });
  await showShards();
  await showShards();
  t.is(calls, 2);
});
