import test, { type ExecutionContext } from 'ava';
import { allShards } from '../../../../contract/deliveries/shards.ts';
import type { HotPool } from '../../../../db/core/hot-pool.ts';
import { deleteDeadWorkers, joinFleet, leaveFleet, readFleet } from '../../../../db/ledger/shards/fleet.ts';
import { handOver } from '../../../../db/ledger/shards/hand-over.ts';
import { acquireLeases } from '../../../../db/ledger/shards/shard-leases.ts';
import { renewedFences } from '../../../harness/deliveries/a-lease.ts';
import { hotLedger, untilBlockedByLock } from '../../../harness/deliveries/hot-ledger.ts';

const shard = 2;

/** Workers are live until the test says otherwise, however slow the machine is. */
async function fleetStage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, pool } = ledger;
  const setSeen = (holder: string, secondsAgo: number, on = db) =>
    on('workers')
      .where({ holder })
      .update({ seen_at: db.raw(`clock_timestamp() - ? * interval '1 second'`, [secondsAgo]) });
  const join = async (...holders: string[]): Promise<void> => {
    for (const holder of holders) {
      await joinFleet(pool, { holder, roles: ['pump'] });
      await setSeen(holder, -3_600);
    }
  };
  /** Simulates a worker that has not renewed its leases for as long as they last. */
  const letExpire = (holder: string) => setSeen(holder, 60);
  const acquire = async (holder: string, shards: readonly number[] = [shard], on: HotPool = pool) =>
    Object.fromEntries(await acquireLeases(on, { shards, holder }));
  const renew = async (holder: string, on: HotPool = pool) => {
    const fences = await renewedFences(on, holder);
    return fences && Object.fromEntries(fences);
  };
  const release = (holder: string, leases: Readonly<Record<number, number>>) =>
    handOver(pool, {
      holder,
      leases: Object.entries(leases).map(([of, fence]) => ({ shard: Number(of), fence })),
      inFlight: [],
      overdueMs: 1,
    });
  const holders = async () =>
    Object.fromEntries((await readFleet(pool, '')).leases.map((lease) => [lease.shard, lease.holder]));
  return { ...ledger, setSeen, join, letExpire, acquire, renew, release, holders };
}

test('each shard has one holder', async (t) => {
  const { join, acquire, holders } = await fleetStage(t);
  await join('a', 'b');
  t.deepEqual(await acquire('a', [2, 3]), { 2: 1, 3: 1 });
  t.deepEqual(await acquire('b', [1, 2, 3, 4]), { 1: 1, 4: 1 });
  t.deepEqual(await acquire('b', []), {});
  t.deepEqual(await holders(), { 1: 'b', 2: 'a', 3: 'a', 4: 'b' });
});

test('a renewal returns all leases of a worker', async (t) => {
  const { db, join, acquire, renew, letExpire, holders } = await fleetStage(t);
  await join('a', 'b');
  await acquire('b', [9]);
  await acquire('a', [3]);
  await acquire('a', [1, 3]);
  await letExpire('a');
  t.deepEqual(await holders(), { 9: 'b' });
  t.deepEqual(await renew('a'), { 1: 1, 3: 2 });
  t.deepEqual(await holders(), { 1: 'a', 3: 'a', 9: 'b' });
  const { rows } = await db.raw("select seen_at > clock_timestamp() - interval '1 minute' as now from workers");
  t.true(rows.every(({ now }: { now: boolean }) => now));
});

test('an expired lease passes to the next holder under a higher fence', async (t) => {
  const { join, acquire, renew, letExpire } = await fleetStage(t);
  await join('a', 'b');
  t.deepEqual(await acquire('a'), { [shard]: 1 });
  t.deepEqual(await acquire('b'), {});
  await letExpire('a');
  t.deepEqual(await acquire('b'), { [shard]: 2 });
  t.deepEqual(await renew('a'), {});
  t.deepEqual(await renew('b'), { [shard]: 2 });
  t.deepEqual(await acquire('a'), {});
});

test('a released lease is free at once and is not revived', async (t) => {
  const { db, join, acquire, renew, release, holders } = await fleetStage(t);
  await join('a', 'b');
  await release('a', await acquire('a', [1, 2]));
  t.deepEqual(await holders(), {});
  t.deepEqual(await renew('a'), {});
  t.true((await db('shard_leases').where({ shard }).first()).released_at instanceof Date);
  t.deepEqual(await acquire('b'), { [shard]: 2 });
  t.is((await db('shard_leases').where({ shard }).first()).released_at, null);
  t.deepEqual(await holders(), { [shard]: 'b' });
});

test('the fence grows with each acquisition, also by the same holder', async (t) => {
  const { join, acquire, release, renew } = await fleetStage(t);
  await join('a', 'b');
  const fences: number[] = [];
  for (const holder of ['a', 'a', 'b', 'b', 'a', 'a']) {
    const lease = await acquire(holder);
    t.deepEqual(await renew(holder), lease);
    await release(holder, lease);
    fences.push(lease[shard]!);
  }
  t.deepEqual(fences, [1, 2, 3, 4, 5, 6]);
  t.deepEqual(await acquire('a'), { [shard]: 7 });
  t.deepEqual(await acquire('a'), { [shard]: 8 }, 'without a release');
});

test("an old holder cannot release its successor's lease", async (t) => {
  const { join, acquire, release, letExpire, holders } = await fleetStage(t);
  await join('a', 'b', 'c');
  const first = await acquire('a');
  await letExpire('a');
  const second = await acquire('b');
  await release('a', first);
  await release('a', second);
  await release('b', first);
  t.deepEqual(await acquire('c'), {});
  t.deepEqual(await holders(), { [shard]: 'b' });
});

test('a worker without a row renews nothing', async (t) => {
  const { pool, join, acquire, renew, holders } = await fleetStage(t);
  await join('a', 'b');
  await acquire('a', [1, 2]);
  await leaveFleet(pool, 'a');
  t.is(await renew('a'), undefined);
  t.is(await renew('unknown'), undefined);
  t.deepEqual(await acquire('b', [1, 2]), { 1: 2, 2: 2 });
  t.deepEqual(await holders(), { 1: 'b', 2: 'b' });
});

test('a dead worker is forgotten once others have its shards', async (t) => {
  const { pool, join, acquire, renew, setSeen } = await fleetStage(t);
  await join('a', 'b', 'c');
  await acquire('a', [1]);
  await acquire('b', [2, 3]);
  for (const holder of ['a', 'b']) await setSeen(holder, 3_600);
  t.is(await deleteDeadWorkers(pool), 0);
  t.deepEqual(await renew('a'), { 1: 1 }, 'it resumes');
  await acquire('c', [2]);
  t.is(await deleteDeadWorkers(pool), 0);
  await acquire('c', [3]);
  t.is(await deleteDeadWorkers(pool), 1);
  t.is(await renew('b'), undefined);
});

test('an acquisition waits for a renewal under way', async (t) => {
  const { db, join, acquire, renew, letExpire, anotherPool } = await fleetStage(t);
  await join('a', 'b');
  await acquire('a');
  await letExpire('a');
  const renewing = anotherPool(1);
  await renewing.query('begin');
  await renew('a', renewing);
  const acquired = acquire('b', [1, shard]);
  await untilBlockedByLock(db, '%holding%');
  // The time of the renewal is that of its statement. A slow machine must not let it expire meanwhile.
  await renewing.query("update workers set seen_at = clock_timestamp() + interval '1 hour' where holder = 'a'");
  await renewing.query('commit');
  t.deepEqual(await acquired, { 1: 1 });
  t.deepEqual(await renew('a'), { [shard]: 1 });
});

test('an acquisition that waits for a departure gets the shard', async (t) => {
  const { db, join, acquire, anotherPool } = await fleetStage(t);
  await join('a', 'b');
  await acquire('a');
  const leaving = anotherPool(1);
  await leaving.query('begin');
  await leaveFleet(leaving, 'a');
  const acquired = acquire('b');
  await untilBlockedByLock(db, '%holding%');
  await leaving.query('commit');
  t.deepEqual(await acquired, { [shard]: 2 });
});

test('a renewal waits for an acquisition and lacks the lost shard', async (t) => {
  const { db, join, acquire, renew, letExpire, anotherPool } = await fleetStage(t);
  await join('a', 'b');
  await acquire('a', [1, shard]);
  await letExpire('a');
  const acquiring = anotherPool(1);
  await acquiring.query('begin');
  t.deepEqual(await acquire('b', [shard], acquiring), { [shard]: 2 });
  const renewed = renew('a');
  await untilBlockedByLock(db, '%update workers%');
  await acquiring.query('commit');
  t.deepEqual(await renewed, { 1: 1 });
  t.deepEqual(await renew('b'), { [shard]: 2 });
});

for (const [what, before] of [
  ['that none had', () => undefined],
  ['whose lease expired', async ({ acquire, letExpire }) => (await acquire('a'), letExpire('a'))],
  ['that was released', async ({ acquire, release }) => release('a', await acquire('a'))],
] satisfies [string, (stage: Awaited<ReturnType<typeof fleetStage>>) => unknown][]) {
  test(`a second acquisition of a shard ${what} comes too late`, async (t) => {
    const stage = await fleetStage(t);
    const { db, join, acquire, renew, holders, anotherPool } = stage;
    await join('a', 'b', 'c');
    await before(stage);
    const first = anotherPool(1);
    await first.query('begin');
    const lease = await acquire('b', [shard], first);
    const late = acquire('c', [1, shard, 3]);
    await untilBlockedByLock(db, '%holding%');
    await first.query('commit');
    t.deepEqual(await late, { 1: 1, 3: 1 });
    t.deepEqual(await renew('b'), lease);
    t.deepEqual(await holders(), { 1: 'c', [shard]: 'b', 3: 'c' });
  });
}

test('acquisitions in opposite orders do not deadlock', async (t) => {
  const { db, join, acquire, anotherPool } = await fleetStage(t);
  await join('a', 'b');
  const first = anotherPool(1);
  await first.query('begin');
  t.deepEqual(await acquire('a', [1], first), { 1: 1 });
  const late = acquire('b', [3, 2, 1]);
  await untilBlockedByLock(db, '%holding%');
  t.deepEqual(await acquire('a', [3], first), { 3: 1 });
  await first.query('commit');
  t.deepEqual(await late, { 2: 1 });
});

test('workers that acquire the same shards at once share them', async (t) => {
  const { join, acquire, renew, letExpire, release, anotherPool } = await fleetStage(t);
  const rivals = Array.from({ length: 4 }, (_, index) => ({ holder: `rival ${index}`, pool: anotherPool(1) }));
  const former = ['a', 'b', 'c'];
  await join(...rivals.map(({ holder }) => holder));
  for (let round = 0; round < 6; round++) {
    // Every second time the shards have no holder, whose row the rivals would lock one after another.
    for (const [index, holder] of round % 2 ? former.entries() : []) {
      await join(holder);
      const every4th = allShards.filter((of) => of % 4 === index);
      await acquire(holder, every4th);
      await letExpire(holder);
    }
    const acquired = await Promise.all(
      rivals.map(({ holder, pool }, index) => acquire(holder, index % 2 ? allShards : allShards.toReversed(), pool)),
    );
    const shards = acquired.flatMap((leases) => Object.keys(leases).map(Number));
    t.deepEqual(
      shards.toSorted((one, other) => one - other),
      allShards,
    );
    for (const [index, { holder }] of rivals.entries()) {
      t.deepEqual(await renew(holder), acquired[index]);
      await release(holder, acquired[index]!);
    }
  }
});

test('renewals, acquisitions and releases at once do not deadlock', async (t) => {
  const { join, acquire, renew, release, letExpire, anotherPool } = await fleetStage(t);
  const workers = ['a', 'b', 'c', 'd'].map((holder) => ({ holder, pool: anotherPool(1) }));
  await join(...workers.map(({ holder }) => holder));
  const live = async ({ holder, pool }: (typeof workers)[number]): Promise<void> => {
    for (let round = 0; round < 20; round++) {
      await acquire(holder, allShards, pool);
      if (round % 3 === 0) await letExpire(holder);
      const held = (await renew(holder, pool))!;
      if (round % 2 === 0) await release(holder, held);
    }
  };
  await t.notThrowsAsync(Promise.all(workers.map(live)));
});
