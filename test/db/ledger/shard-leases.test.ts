import test from 'ava';
import { acquireLease, releaseLease, renewLease } from '../../../db/ledger/shard-leases.ts';
import { hotLedger, type HotLedger } from '../../harness/deliveries/hot-ledger.ts';

const shard = 2;

/** As if the holder had not renewed for the whole time. */
async function letRunOut({ db }: HotLedger): Promise<void> {
  await db('shard_leases')
    .where({ shard })
    .update({ expires_at: new Date(Date.now() - 1) });
}

test('one holder has a shard at a time; another shard is another lease', async (t) => {
  const { pool } = await hotLedger(t);
  t.is(await acquireLease(pool, { shard, holder: 'a' }), 1);
  t.is(await acquireLease(pool, { shard, holder: 'b' }), undefined);
  t.is(await acquireLease(pool, { shard: 3, holder: 'b' }), 1);
});

test('of many that ask at the same time over several connections one gets it', async (t) => {
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

test('a lease that is renewed stays; one that has run out goes to the next under a higher fence, and is lost', async (t) => {
  const ledger = await hotLedger(t);
  const { pool } = ledger;
  const first = (await acquireLease(pool, { shard, holder: 'a' }))!;
  await letRunOut(ledger);
  t.true(await renewLease(pool, { shard, fence: first }));
  t.is(await acquireLease(pool, { shard, holder: 'b' }), undefined);
  await letRunOut(ledger);
  const second = (await acquireLease(pool, { shard, holder: 'b' }))!;
  t.true(second > first);
  t.false(await renewLease(pool, { shard, fence: first }));
  t.true(await renewLease(pool, { shard, fence: second }));
});

test('a released lease is free at once, and the fence goes on rising', async (t) => {
  const { pool } = await hotLedger(t);
  const first = (await acquireLease(pool, { shard, holder: 'a' }))!;
  await releaseLease(pool, { shard, fence: first });
  t.is(await acquireLease(pool, { shard, holder: 'b' }), first + 1);
});

test('an old holder cannot release the lease of the next', async (t) => {
  const ledger = await hotLedger(t);
  const first = (await acquireLease(ledger.pool, { shard, holder: 'a' }))!;
  await letRunOut(ledger);
  await acquireLease(ledger.pool, { shard, holder: 'b' });
  await releaseLease(ledger.pool, { shard, fence: first });
  t.is(await acquireLease(ledger.pool, { shard, holder: 'c' }), undefined);
});

test('a holder that asks again, because the answer was lost, gets its lease under a higher fence', async (t) => {
  const { pool } = await hotLedger(t);
  t.is(await acquireLease(pool, { shard, holder: 'a' }), 1);
  t.is(await acquireLease(pool, { shard, holder: 'a' }), 2);
});
