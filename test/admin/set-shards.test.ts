import test from 'ava';
import { setShards, shards } from '../../admin/commands/set-shards.ts';
import type { AdminDeps } from '../../admin/commands/deps.ts';
import { UsageError } from '../../admin/commands/options.ts';
import { insertDestination } from '../../db/ledger/destinations/destinations.ts';
import { readFleet } from '../../db/ledger/shards/fleet.ts';
import { finishResharding } from '../../db/ledger/shards/resharding.ts';
import { hotLedger } from '../harness/deliveries/hot-ledger.ts';
import { eventually } from '../harness/eventually.ts';

test('set-shards serves the larger number of shards until the change is finished', async (t) => {
  const { db, pool, channel } = await hotLedger(t);
  const deps = { db } as AdminDeps;
  await db('installation').update({ delivery_shards: 4 });
  t.like(await setShards(deps, ['16', '--no-wait']), { shards: 16, targetShards: 16 });
  t.like(await setShards(deps, ['1', '--no-wait']), { shards: 16, targetShards: 1 });
  t.like(await readFleet(pool), { shardCount: 16, targetShards: 1, isMoving: true });
  const id = await insertDestination(db, { channelId: channel.id, type: 'webhook', url: 'https://example.com/' });
  t.like(await db('destinations').where({ id }).first(), { shard: 0 }, 'new destinations use the new number');
  const waiting = setShards(deps, ['1']);
  await eventually(() => finishResharding(pool, 1));
  t.deepEqual(await waiting, { shards: 1, destinations: 1 });
  t.deepEqual(await shards(deps, []), {
    shards: 1,
    destinations: 1,
    list: [{ shard: 0, holder: null, destinations: 1, arriving: 0 }],
  });
  t.deepEqual(await setShards(deps, ['1']), { shards: 1, destinations: 1 }, 'nothing to change');
  t.like(await db('audit_entries').orderBy('id').first(), { action: 'installation.resharded' });
});

for (const args of [[], ['0'], ['257'], ['1.5'], ['many'], ['4', '5'], ['--no-wait']]) {
  test(`set-shards refuses ${JSON.stringify(args)}`, async (t) => {
    await t.throwsAsync(setShards({} as AdminDeps, args), { instanceOf: UsageError });
  });
}
