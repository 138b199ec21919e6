import test from 'ava';
import { joinFleet } from '../../../db/ledger/shards/fleet.ts';
import { acquireLeases } from '../../../db/ledger/shards/shard-leases.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { aStaffKey } from '../../harness/people/staff.ts';

const route = 'GET /staff/status?reason=Alert';
const queue = {
  queue: 'service',
  kind: 'workflow',
  waitingCount: 3,
  oldestSeconds: 7,
  pollerCount: 1,
  polledSeconds: 0.5,
} as const;

test('staff see workers, shards, the backlog, PostgreSQL and Temporal', async (t) => {
  const { db, databaseUrl, call } = await tenantStage(t, {
    namespaceState: () => Promise.resolve('ok'),
    taskQueues: () => Promise.resolve([queue]),
  });
  const pool = testHotPool(t, databaseUrl);
  await joinFleet(pool, { holder: 'host/1', roles: ['pump', 'main'] });
  await joinFleet(pool, { holder: 'host/2', roles: ['main'] });
  await acquireLeases(pool, { shards: [0, 1, 2], holder: 'host/1' });
  await db('workers')
    .where({ holder: 'host/2' })
    .update({ seen_at: db.raw("now() - interval '90 seconds'") });
  const { token: key } = await aStaffKey(db);

  const { status, body } = await call(route, { key });
  t.is(status, 200);
  const [one, other] = body.workers;
  t.like(one, { holder: 'host/1', roles: ['pump', 'main'], shardCount: 3 });
  t.like(other, { holder: 'host/2', isLive: false, shardCount: 0 });
  t.true(other.seenSeconds >= 90);
  t.true(body.shards.unservedCount >= 253);
  t.is(body.backlog.waiting.length, 2);
  t.true(body.database.connectionCount <= body.database.connectionLimit);
  t.deepEqual(body.temporal, { state: 'ok', taskQueues: [queue] });
});

test('only staff see the state of the installation', async (t) => {
  const { db, call, apiKey } = await tenantStage(t);
  t.is((await call(route, { key: apiKey })).status, 403);
  const { token: key } = await aStaffKey(db);
  t.deepEqual((await call(route, { key })).body.temporal, { state: 'unreachable', taskQueues: null });
});
