import test, { type ExecutionContext } from 'ava';
import { createLease, leaseNow } from '../../../activities/pump/lease.ts';
import { createHandOvers } from '../../../activities/pump/hand-overs.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { acquireLease } from '../../../db/ledger/shards/shard-leases.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const shard = 2;
const holder = 'host/1/a';
const delivery = { id: 7, destinationId: 1, conversationKey: 1 };

/** Runs `after` once the first statement that contains `text` has been executed, and then loses its result. */
function losing(pool: HotPool, { text, after }: { text: string; after: () => Promise<unknown> }): HotPool {
  let isLost = false;
  const query = async (sql: string, values: unknown[]) => {
    const result = await pool.query(sql, values);
    if (isLost || !sql.includes(text)) return result;
    isLost = true;
    await after();
    throw new Error('connection lost');
  };
  return Object.create(pool, { query: { value: query } }) as HotPool;
}

/** Rejects the first statement that contains `text`. */
function refusing(pool: HotPool, text: string): HotPool {
  let isRefused = false;
  const query = (sql: string, values: unknown[]) => {
    if (isRefused || !sql.includes(text)) return pool.query(sql, values);
    isRefused = true;
    return Promise.reject(new Error('connection lost'));
  };
  return Object.create(pool, { query: { value: query } }) as HotPool;
}

async function handOverStage(t: ExecutionContext, poolOf: (pool: HotPool) => HotPool) {
  const ledger = await hotLedger(t);
  const fence = (await acquireLease(ledger.pool, { shard, holder }))!;
  const lease = createLease({ fence, askedAtMs: leaseNow() + 600_000 });
  const log = rememberingLog();
  const sent = new Map([[delivery.id, delivery]]);
  const deps = { pool: poolOf(ledger.pool), shard, holder, lease, sent, log };
  const handOvers = createHandOvers({ ...deps, overdueMs: 600_000 });
  const published = () => ledger.db('handed_over_deliveries').pluck('delivery_id');
  return { ...ledger, fence, lease, log, handOvers, published };
}

test('a release whose result is lost still ends its publications', async (t) => {
  const taken: (number | undefined)[] = [];
  const stage = await handOverStage(t, (pool) => {
    const after = async () => taken.push(await acquireLease(pool, { shard, holder: 'host/2/b' }));
    return losing(pool, { text: 'insert into handed_over', after });
  });
  await stage.handOvers.releaseShard();
  t.deepEqual(taken, [stage.fence + 1]);
  t.deepEqual(await stage.published(), [delivery.id]);
  stage.handOvers.settled([delivery.id]);
  await stage.handOvers.idle();
  t.deepEqual(await stage.published(), []);
});

test('the end of a hand-over is repeated after a failure', async (t) => {
  const stage = await handOverStage(t, (pool) => refusing(pool, 'delete from handed_over'));
  await stage.handOvers.releaseShard();
  stage.handOvers.settled([delivery.id]);
  await stage.handOvers.idle();
  t.deepEqual(await stage.published(), []);
  t.true(stage.log.lines.some(({ event }) => event === 'handOver.endFailed'));
});

test('a release that fails is repeated while the lease is valid', async (t) => {
  const stage = await handOverStage(t, (pool) => refusing(pool, 'insert into handed_over'));
  await stage.handOvers.releaseShard();
  t.deepEqual(await stage.published(), [delivery.id]);
  t.false(stage.lease.isValid());
  t.is(await acquireLease(stage.pool, { shard, holder: 'host/2/b' }), stage.fence + 1);
});
