import test, { type ExecutionContext } from 'ava';
import { exhaustWaiting } from '../../../db/ledger/destinations/waiting-for-circuit.ts';
import { endDelivery } from '../../../db/ledger/load-delivery.ts';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { failedAttempt } from '../../harness/deliveries/failing-ledger.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';

const rules = { firstProbeMs: 5_000, disableAfterMs: 86_400_000 };

async function stage(t: ExecutionContext) {
  const { db, pool, channel } = await hotLedger(t);
  const destinationId = await aWebhook(db, channel);
  return {
    db,
    pool,
    destinationId,
    delivery: async (values: object = {}) =>
      (await aLedgerDelivery(db, channel, { status: 'pending', destinationId, ...values })).id,
    counted: async () => Number((await db('destinations').where({ id: destinationId }).first())?.exhausted_count),
  };
}

test('exhausted deliveries are counted at their destination by every statement', async (t) => {
  const { db, pool, destinationId, delivery, counted } = await stage(t);
  const settled = await delivery();
  const ended = await delivery();
  const retried = await delivery();
  const waiting = await delivery({ createdAt: new Date(Date.now() - 86_400_000) });
  await settleFailed(pool, {
    rules,
    failed: [
      failedAttempt({ deliveryId: settled, destinationId, delayMs: null }),
      failedAttempt({ deliveryId: retried, destinationId }),
    ],
  });
  t.is(await counted(), 1);
  await endDelivery(pool, { id: ended, end: 'exhaust', reason: null });
  await endDelivery(pool, { id: ended, end: 'exhaust', reason: null });
  t.is(await counted(), 2);
  await exhaustWaiting(pool, { destinationId, olderThanMs: 3_600_000 });
  t.is(await counted(), 3);
  t.like(await db('deliveries').where({ id: waiting }).first(), { status: 'exhausted' });
  await endDelivery(pool, { id: retried, end: 'cancel', reason: null });
  t.is(await counted(), 3, 'a cancelled one is not counted');
});

test('the count starts again after a quiet time', async (t) => {
  const { db, pool, delivery, counted, destinationId } = await stage(t);
  const past = new Date(Date.now() - 7_200_000);
  await db('destinations')
    .where({ id: destinationId })
    .update({ exhausted_count: 9, last_exhausted_at: past, last_delivered_at: new Date() });
  await endDelivery(pool, { id: await delivery(), end: 'exhaust', reason: null });
  t.is(await counted(), 1);
});

test('two ends of one destination do not block each other forever', async (t) => {
  const { pool, delivery, counted, destinationId } = await stage(t);
  const ids = await Promise.all(
    Array.from({ length: 10 }, () => delivery({ createdAt: new Date(Date.now() - 86_400_000) })),
  );
  await Promise.all([
    ...ids.map((id) => endDelivery(pool, { id, end: 'exhaust', reason: null })),
    exhaustWaiting(pool, { destinationId, olderThanMs: 3_600_000 }),
  ]);
  t.is(await counted(), 10);
});
