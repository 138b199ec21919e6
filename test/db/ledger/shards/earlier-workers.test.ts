import test, { type ExecutionContext } from 'ava';
import { setShards } from '../../../../admin/commands/set-shards.ts';
import type { AdminDeps } from '../../../../admin/commands/deps.ts';
import { UsageError } from '../../../../admin/commands/options.ts';
import { markSeen, readFleet } from '../../../../db/ledger/shards/fleet.ts';
import { handOver } from '../../../../db/ledger/shards/hand-over.ts';
import { finishResharding, listEarlierWorkers, setTargetShards } from '../../../../db/ledger/shards/resharding.ts';
import { acquireLease, renewLeases } from '../../../../db/ledger/shards/shard-leases.ts';
import { hotLedger, untilBlockedByLock } from '../../../harness/deliveries/hot-ledger.ts';

const shard = 2;
/** Live and valid however slow the machine is. */
const LATER = new Date(Date.now() + 3_600_000);
const refusal = { message: /does not support moving destinations/ };

async function workersStage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, pool } = ledger;
  await db('installation').update({ delivery_shards: 4 });
  await markSeen(pool, { holder: 'present', roles: ['pump'] });
  /** As versions before migration 0038 do. */
  const seeEarlier = (holder = 'earlier') => db('workers').insert({ holder, roles: ['pump'], seen_at: LATER });
  const acquire = (holder: string) => acquireLease(pool, { shard, holder });
  const letExpire = () => db('shard_leases').update({ expires_at: new Date(0) });
  const keepValid = () => db('shard_leases').update({ expires_at: LATER });
  const askShards = (count: number) => setShards({ db } as AdminDeps, [String(count), '--no-wait']);
  return { ...ledger, seeEarlier, acquire, letExpire, keepValid, askShards };
}

test('an earlier worker acquires no lease during a change', async (t) => {
  const { db, pool, seeEarlier, acquire, letExpire } = await workersStage(t);
  await setTargetShards(db, 2);
  await seeEarlier();
  await t.throwsAsync(acquire('earlier'), refusal);
  await t.throwsAsync(acquire('before migration 0027'), refusal);
  t.is(await acquire('present'), 1);
  await letExpire();
  await t.throwsAsync(acquire('earlier'), refusal);
  t.is(await acquire('present'), 2);
  t.true(await finishResharding(pool, 2));
  await letExpire();
  t.is(await acquire('earlier'), 3);
});

test('an earlier worker acquires no lease while a single destination moves', async (t) => {
  const { db, acquire } = await workersStage(t);
  await db('moving_destinations').insert({ destination_id: 1, shard, former_shard: 3 });
  await t.throwsAsync(acquire('earlier'), refusal);
  t.is(await acquire('present'), 1);
});

test('an earlier worker does not revive an expired lease', async (t) => {
  const { db, pool, acquire, letExpire } = await workersStage(t);
  const leases = [{ shard, fence: (await acquire('earlier'))! }];
  await letExpire();
  await setTargetShards(db, 2);
  await t.throwsAsync(renewLeases(pool, { holder: 'earlier', leases }), refusal);
  t.is(await acquire('present'), 2);
});

test('an earlier worker renews and releases a valid lease', async (t) => {
  const { db, pool, acquire, keepValid } = await workersStage(t);
  const fence = (await acquire('earlier'))!;
  await keepValid();
  await setTargetShards(db, 2);
  t.true((await renewLeases(pool, { holder: 'earlier', leases: [{ shard, fence }] })).has(shard));
  t.true(await handOver(pool, { shard, holder: 'earlier', fence, inFlight: [], overdueMs: 1 }));
});

test('set-shards names live earlier workers and changes nothing', async (t) => {
  const { db, seeEarlier, acquire, letExpire, keepValid, askShards } = await workersStage(t);
  t.deepEqual(await listEarlierWorkers(db), []);
  await seeEarlier('earlier/a');
  await acquire('earlier/b');
  await keepValid();
  await t.throwsAsync(askShards(8), { instanceOf: UsageError, message: /\(earlier\/a, earlier\/b\)/ });
  t.like(await db('installation').first(), { delivery_shards: 4, target_shards: null });
  t.deepEqual(await db('audit_entries').select(), []);
  await db('workers')
    .where({ holder: 'earlier/a' })
    .update({ seen_at: new Date(0) });
  await letExpire();
  t.like(await askShards(8), { shards: 8, targetShards: 8 });
});

test('set-shards waits for a lease that an earlier worker is acquiring', async (t) => {
  const { db, pool, askShards } = await workersStage(t);
  const client = await pool.connect();
  t.teardown(() => client.release(true));
  await client.query('begin');
  await acquireLease(client as never, { shard, holder: 'earlier' });
  await client.query('update shard_leases set expires_at = $1', [LATER]);
  const asked = t.throwsAsync(askShards(8), { instanceOf: UsageError, message: /\(earlier\)/ });
  await untilBlockedByLock(db);
  await client.query('commit');
  await asked;
});

test('an earlier worker waits for set-shards and is then refused', async (t) => {
  const { db, acquire } = await workersStage(t);
  const changing = await db.transaction();
  t.teardown(() => changing.isCompleted() || changing.rollback());
  await setTargetShards(changing, 8);
  const acquired = t.throwsAsync(acquire('earlier'), refusal);
  await untilBlockedByLock(db);
  await changing.commit();
  await acquired;
});

test('present workers share all shards while an earlier one is refused', async (t) => {
  const { db, pool, seeEarlier } = await workersStage(t);
  await seeEarlier();
  await db('workers').update({ seen_at: LATER });
  t.deepEqual((await readFleet(pool)).live, ['earlier', 'present']);
  await setTargetShards(db, 2);
  t.deepEqual((await readFleet(pool)).live, ['present']);
});
