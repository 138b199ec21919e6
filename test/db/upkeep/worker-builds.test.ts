import test from 'ava';
import { countLiveBuilds, deleteBuild, deleteLostBuilds, markBuild } from '../../../db/upkeep/worker-builds.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';

test('a build is live until its last worker stops or is lost', async (t) => {
  const { db, url } = await testDatabase(t);
  const pool = testHotPool(t, url);
  for (const [holder, buildId] of [
    ['one', 'a'],
    ['two', 'a'],
    ['three', 'b'],
    ['three', 'b'],
  ] as const)
    // prettier-ignore
    await markBuild(pool, { holder, buildId });
  // However slow the machine is, they are live.
  await db('worker_builds').update({ seen_at: db.raw(`now() + interval '1 hour'`) });
  t.deepEqual(new Map(await countLiveBuilds(pool)), new Map([['a', 2], ['b', 1]])); // prettier-ignore
  await deleteBuild(pool, 'one');
  t.is(await deleteLostBuilds(pool), 0);
  await db('worker_builds')
    .where({ holder: 'two' })
    .update({ seen_at: db.raw(`now() - interval '1 minute'`) });
  t.deepEqual([...(await countLiveBuilds(pool))], [['b', 1]]);
  t.is(await deleteLostBuilds(pool), 1);
  await markBuild(pool, { holder: 'three', buildId: 'c' });
  t.deepEqual([...(await countLiveBuilds(pool))], [['c', 1]]);
});
