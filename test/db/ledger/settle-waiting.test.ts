import test, { type ExecutionContext } from 'ava';
import { settleAccepted, endedColumns } from '../../../db/ledger/settle-accepted.ts';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { failedAttempt, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { aWebhookDestination, deliveryRows, hotLedger, acceptedItems } from '../../harness/deliveries/hot-ledger.ts';
import { pluck } from '../../harness/pluck.ts';

const accepting = { outcome: 'accepted', status: 200 } as const;

async function waitingDeliveries(t: ExecutionContext<unknown>, count: number) {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id: destinationId, shard } = await aWebhookDestination(ledger, channel);
  const ids = await acceptedItems(pool, count);
  const settle = (number = 1) =>
    settleAccepted(
      pool,
      ids.map((deliveryId) => ({ deliveryId, destinationId, attempt: refusal({ ...accepting, number }) })),
    );
  const change = (id: number, values: object) => db('deliveries').where({ id }).update(values);
  return { ...ledger, destinationId, shard, ids, settle, change };
}

test('a batch of waiting and ended deliveries is settled once', async (t) => {
  const { db, pool, ids, settle, change } = await waitingDeliveries(t, 3);
  const [, wasCancelled, wasCounted] = ids as [number, number, number];
  await change(wasCancelled, { status: 'cancelled' });
  await change(wasCounted, { attempt_count: 3 });
  await settle();
  t.deepEqual(
    (await deliveryRows(pool)).map(({ id, status, attempt_count: count }) => [id, status, count]),
    ids.map((id) => [id, 'delivered', id === wasCounted ? 3 : 1]),
  );
  t.is((await db('attempts').where({ outcome: 'accepted' })).length, 3);
});

test('a batch replaces a failure logged for one of its attempts', async (t) => {
  const { db, pool, ids, destinationId, shard, settle } = await waitingDeliveries(t, 2);
  const lease = { shard, fence: 0 }; // not held
  const rules = { firstProbeMs: 5_000, disableAfterMs: 432_000_000 };
  const failed = [failedAttempt({ deliveryId: ids[0]!, destinationId, attempt: refusal(), hold: null, lease })];
  await settleFailed(pool, { failed, rules });
  t.like(await db('attempts').first(), { outcome: 'rejected' });
  await settle();
  t.deepEqual(pluck(await deliveryRows(pool), 'status'), ['delivered', 'delivered']);
  t.deepEqual(pluck(await db('attempts').orderBy('delivery_id'), 'outcome'), ['accepted', 'accepted']);
});

test('an ended delivery keeps what its end does not change', async (t) => {
  const { db, ids, settle, change } = await waitingDeliveries(t, 1);
  const id = ids[0]!;
  const failed = { failed_in_schedule: 2, attempt_count: 2, status: 'retrying', pump_retries: true };
  await change(id, { ...failed, next_attempt_at: new Date(), restarted_at: new Date() });
  const before = await db('deliveries').where({ id }).first();
  await settle(3);
  const after = await db('deliveries').where({ id }).first();
  t.true(BigInt(after.xid) > BigInt(before.xid));
  t.deepEqual(after, { ...before, xid: after.xid, status: 'delivered', attempt_count: 3, next_attempt_at: null });
});

test('the end of a waiting delivery names each column', async (t) => {
  const { db } = await waitingDeliveries(t, 1);
  t.deepEqual(endedColumns.toSorted(), Object.keys(await db('deliveries').columnInfo()).toSorted());
});
