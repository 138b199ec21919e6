import test from 'ava';
import { handOver } from '../../../../db/ledger/shards/hand-over.ts';
import { acquireLease, type HeldLease, renewLeases } from '../../../../db/ledger/shards/shard-leases.ts';
import { hotLedger, type HotLedger } from '../../../harness/deliveries/hot-ledger.ts';

const shard = 2;

/** Simulates a holder that has not renewed its lease until it expired. */
async function letRunOut({ db }: HotLedger): Promise<void> {
  await db('shard_leases')
    .where({ shard })
    .update({ expires_at: new Date(Date.now() - 1) });
}

interface Held extends HeldLease {
  readonly holder: string;
}

const renew = async ({ pool }: HotLedger, { holder, ...lease }: Held): Promise<boolean> =>
  (await renewLeases(pool, { holder, leases: [lease] })).has(lease.shard);

const release = ({ pool }: HotLedger, held: Held): Promise<boolean> =>
  handOver(pool, { ...held, inFlight: [], overdueMs: 1 });

test('each shard has its own lease with one holder', async (t) => {
  const { pool } = await hotLedger(t);
  t.is(await acquireLease(pool, { shard, holder: 'a' }), 1);
  t.is(await acquireLease(pool, { shard, holder: 'b' }), undefined);
  t.is(await acquireLease(pool, { shard: 3, holder: 'b' }), 1);
});

test('one of many concurrent holders acquires the lease', async (t) => {
  const { pool, anotherPool } = await hotLedger(t);
  const other = anotherPool();
  const fences = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      acquireLease(index % 2 ? pool : other, { shard, holder: `pump ${index}` }),
    ),
  );
  t.deepEqual(
    fences.filter((fence) => fence !== undefined),
    [1],
  );
});

test('an expired lease passes to the next holder under a higher fence', async (t) => {
  const ledger = await hotLedger(t);
  const { pool } = ledger;
  const first = (await acquireLease(pool, { shard, holder: 'a' }))!;
  await letRunOut(ledger);
  t.true(await renew(ledger, { shard, holder: 'a', fence: first }));
  t.is(await acquireLease(pool, { shard, holder: 'b' }), undefined);
  await letRunOut(ledger);
  const second = (await acquireLease(pool, { shard, holder: 'b' }))!;
  t.true(second > first);
  t.false(await renew(ledger, { shard, holder: 'a', fence: first }));
  t.false(await renew(ledger, { shard, holder: 'a', fence: second }));
  t.true(await renew(ledger, { shard, holder: 'b', fence: second }));
});

test('a released lease is free at once and is not revived', async (t) => {
  const ledger = await hotLedger(t);
  const fence = (await acquireLease(ledger.pool, { shard, holder: 'a' }))!;
  t.true(await release(ledger, { shard, holder: 'a', fence }));
  t.false(await renew(ledger, { shard, holder: 'a', fence }));
  t.is(await acquireLease(ledger.pool, { shard, holder: 'b' }), fence + 1);
});

test("an old holder cannot release its successor's lease", async (t) => {
  const ledger = await hotLedger(t);
  const first = (await acquireLease(ledger.pool, { shard, holder: 'a' }))!;
  await letRunOut(ledger);
  await acquireLease(ledger.pool, { shard, holder: 'b' });
  t.false(await release(ledger, { shard, holder: 'a', fence: first }));
  t.is(await acquireLease(ledger.pool, { shard, holder: 'c' }), undefined);
});

test('a holder reacquires its own lease under a higher fence', async (t) => {
  const { pool } = await hotLedger(t);
  t.is(await acquireLease(pool, { shard, holder: 'a' }), 1);
  t.is(await acquireLease(pool, { shard, holder: 'a' }), 2);
});
