import test, { type ExecutionContext } from 'ava';
import { createLease, leaseNow } from '../../../activities/pump/lease.ts';
import { createHandOvers } from '../../../activities/pump/hand-overs.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { acquireLeases } from '../../../db/ledger/shards/shard-leases.ts';
import { aLease } from '../../harness/deliveries/a-lease.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { interceptedPool } from '../../harness/deliveries/intercepted-pool.ts';
import { pumpLedgerOf } from '../../harness/deliveries/pump-deps.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const shard = 2;
const holder = 'host/1/a';
const delivery = { id: 7, shard, destinationId: 1, conversationKey: 1 };

/** Runs `after` once the first statement that contains `text` has been executed, and then loses its result. */
function losing(pool: HotPool, { text, after }: { text: string; after: () => Promise<unknown> }): HotPool {
  let isLost = false;
  return interceptedPool(pool, async (statement, execute) => {
    const result = await execute();
    if (isLost || !statement.text.includes(text)) return result;
    isLost = true;
    await after();
    throw new Error('connection lost');
  });
}

/** Rejects the first statement that contains `text`. */
function refusing(pool: HotPool, text: string): HotPool {
  let isRefused = false;
  return interceptedPool(pool, async (statement, execute) => {
    if (isRefused || !statement.text.includes(text)) return await execute();
    isRefused = true;
    throw new Error('connection lost');
  });
}

async function handOverStage(t: ExecutionContext, poolOf: (pool: HotPool) => HotPool) {
  const ledger = await hotLedger(t);
  const held = await aLease(ledger.pool, shard, holder);
  const lease = createLease();
  lease.renewed(leaseNow() + 600_000);
  const log = rememberingLog();
  const sent = new Map([[delivery.id, { row: delivery, lease: held }]]);
  const deps = { ledger: pumpLedgerOf(poolOf(ledger.pool)), holder, lease, sent, log };
  const handOvers = createHandOvers({ ...deps, overdueMs: 600_000 });
  const published = () => ledger.db('handed_over_deliveries').pluck('delivery_id');
  const release = () => handOvers.release([held]);
  return { ...ledger, ...held, log, handOvers, release, published };
}

/** The fence of another worker's lease. */
const acquired = async (pool: HotPool): Promise<number | undefined> =>
  (await acquireLeases(pool, { shards: [shard], holder: 'host/2/b' })).get(shard);

test('a release whose result is lost still ends its publications', async (t) => {
  const taken: (number | undefined)[] = [];
  const stage = await handOverStage(t, (pool) => {
    const after = async () => taken.push(await acquired(pool));
    return losing(pool, { text: 'insert into handed_over', after });
  });
  await stage.release();
  t.deepEqual(taken, [stage.fence + 1]);
  t.deepEqual(await stage.published(), [delivery.id]);
  stage.handOvers.settled([delivery.id]);
  await stage.handOvers.idle();
  t.deepEqual(await stage.published(), []);
});

test('the end of a hand-over is repeated after a failure', async (t) => {
  const stage = await handOverStage(t, (pool) => refusing(pool, 'delete from handed_over'));
  await stage.release();
  stage.handOvers.settled([delivery.id]);
  await stage.handOvers.idle();
  t.deepEqual(await stage.published(), []);
  t.true(stage.log.lines.some(({ event }) => event === 'handOver.endFailed'));
});

test('a release that fails is repeated while the lease is valid', async (t) => {
  const stage = await handOverStage(t, (pool) => refusing(pool, 'insert into handed_over'));
  await stage.release();
  t.deepEqual(await stage.published(), [delivery.id]);
  t.is(await acquired(stage.pool), stage.fence + 1);
});
