import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createLease } from '../../../activities/pump/lease.ts';
import { startPumpFleet } from '../../../activities/pump/pump-fleet.ts';
import { createFleetLedger } from '../../../activities/pump/ledger/pump-ledger.ts';
import { startWorkerPump } from '../../../activities/pump/worker-pump.ts';
import { allShards, SHARD_COUNT } from '../../../contract/deliveries/shards.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { eventually } from '../../harness/eventually.ts';
import { hotLedger, type HotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { interceptedPool } from '../../harness/deliveries/intercepted-pool.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { notificationsOf, pumpDeps } from '../../harness/deliveries/pump-deps.ts';

const ROUNDS = 4;

/** A worker whose releases wait until the test lets them. */
async function slowWorker(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const log = rememberingLog();
  const wake = notificationsOf(t, ledger);
  const holder = `host/1/${randomUUID()}`;
  const lease = createLease();
  const released = Promise.withResolvers<void>();
  let releaseCount = 0;
  let renewalCount = 0;
  const pool = intercepting(ledger.anotherPool(4), {
    'hand-over': () => {
      releaseCount++;
      return released.promise;
    },
    'renew-leases': () => {
      renewalCount++;
    },
  });
  const pump = startWorkerPump({ ...pumpDeps({ pool, wake, log, holder }), lease });
  const fleet = startPumpFleet({ ledger: createFleetLedger(pool), wake, holder, roles: ['pump'], pump, lease, log });
  t.teardown(() => {
    released.resolve();
    return fleet.stop();
  });
  await eventually(() => pump.shards().length === SHARD_COUNT);
  const untilRenewed = async (): Promise<void> => {
    const from = renewalCount;
    await eventually(() => renewalCount >= from + ROUNDS);
  };
  return { ...ledger, log, fleet, pump, untilRenewed, releaseCount: () => releaseCount, release: released.resolve };
}

/** Calls a function before each statement with its name. */
const intercepting = (pool: HotPool, acts: Readonly<Record<string, () => Promise<void> | void>>): HotPool =>
  interceptedPool(pool, async ({ name = '' }, execute) => {
    await acts[name]?.();
    return await execute();
  });

/** Another live worker that takes no shard. */
async function addWorker({ db }: Pick<HotLedger, 'db'>): Promise<void> {
  await db('workers').insert({ holder: 'host/2/idle', roles: ['pump'], seen_at: new Date(Date.now() + 600_000) });
}

const freeShards = async ({ db }: Pick<HotLedger, 'db'>): Promise<number[]> =>
  await db('shard_leases').whereNotNull('released_at').orderBy('shard').pluck('shard');

test('a slow release delays no renewal and moves no more shards', async (t) => {
  const stage = await slowWorker(t);
  const { pump } = stage;
  await addWorker(stage);
  await eventually(() => stage.releaseCount() === 1);
  await stage.untilRenewed();
  t.is(stage.releaseCount(), 1);
  t.is(pump.shards().length, SHARD_COUNT / 2);
  t.is(pump.heldShards().length, SHARD_COUNT);
  t.deepEqual(await freeShards(stage), []);
  stage.release();
  const given = allShards.filter((shard) => !pump.shards().includes(shard));
  await eventually(async () => (await freeShards(stage)).join() === given.join());
  await stage.untilRenewed();
  t.is(pump.heldShards().length, SHARD_COUNT / 2);
  t.false(stage.log.lines.some(({ event }) => event === 'lease.lost'));
});

test('a worker that stops renews its leases until they are released', async (t) => {
  const stage = await slowWorker(t);
  const stopping = stage.fleet.stop();
  await eventually(() => stage.releaseCount() === 1);
  await stage.untilRenewed();
  t.deepEqual(await freeShards(stage), []);
  t.is((await stage.db('workers').select()).length, 1);
  stage.release();
  await stopping;
  t.is((await freeShards(stage)).length, SHARD_COUNT);
  t.deepEqual(await stage.db('workers').select(), []);
});

test('a slow release of leases without a shard delays no renewal', async (t) => {
  const stage = await slowWorker(t);
  const { pump } = stage;
  await stage.db('workers').delete(); // it joins again, and serves none of the shards that it still holds
  await eventually(() => stage.releaseCount() === 1);
  await stage.untilRenewed();
  t.is(stage.releaseCount(), 1);
  t.deepEqual(pump.shards(), []);
  stage.release();
  await eventually(() => pump.shards().length === SHARD_COUNT);
});
