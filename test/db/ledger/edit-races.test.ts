import test from 'ava';
import { ledgerTransaction } from '../../../db/core/ledger-transaction.ts';
import { applyPending } from '../../../db/ledger/apply-pending.ts';
import { parkHeldDeliveries, releaseParkedDeliveries } from '../../../db/ledger/parked-deliveries.ts';
import { releaseDueRetries } from '../../../db/ledger/release-due-retries.ts';
import { type FailingLedger, failingLedger } from '../../harness/deliveries/failing-ledger.ts';
import { deliveryRows, untilBlockedByLock } from '../../harness/deliveries/hot-ledger.ts';

const edit = ({ db, channel, destinationId }: FailingLedger, pending: 'cancel' | 'keep') =>
  ledgerTransaction(db, (trx) => applyPending(trx, { channelId: channel.id, destinationId, pending }));

for (const pending of ['cancel', 'keep'] as const) {
  test(`an edit with '${pending}' includes a retry that becomes due`, async (t) => {
    const ledger = await failingLedger(t, { events: 2 });
    const { db, pool, ids, fail, failure, shard, fence, destinationId } = ledger;
    await fail([failure(ids[0]!)]);
    await db('deliveries').where({ id: ids[0]! }).update({ next_attempt_at: db.fn.now() });
    const reader = await db.transaction();
    await reader.raw('select from deliveries where id = ? for update', [ids[1]!]);
    const edited = edit(ledger, pending);
    await untilBlockedByLock(db);
    const released = await releaseDueRetries(pool, { leases: [{ shard, fence }], limit: 10 });
    t.is(released.counts.get(shard), 1);
    await reader.commit();
    await edited;
    for (const row of await deliveryRows(pool)) {
      if (pending === 'cancel') t.is(row.status, 'cancelled');
      else t.not(row.destination_id, destinationId);
    }
  });
}

test("a failure after an edit holds only the old URL's conversation", async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { db, pool, ids, fail, failure, succeed } = ledger;
  await edit(ledger, 'keep');
  await fail([failure(ids[0]!)]);
  const [row] = await deliveryRows(pool);
  t.deepEqual(await db('conversation_holds').pluck('destination_id'), [row!.destination_id]);
  await succeed(ids[0]!, { number: 2 });
  t.deepEqual(await db('conversation_holds'), []);
});

test('an edit keeps the order to release parked deliveries', async (t) => {
  const ledger = await failingLedger(t, { events: 3 });
  const { db, pool, ids, fail, failure, succeed, shard, fence, destinationId } = ledger;
  await db('deliveries').update({ conversation_key: 0 });
  await fail([failure(ids[0]!)]);
  t.is(await parkHeldDeliveries(pool, { shard, fence, destinationIds: [destinationId], heldIds: [] }), 2);
  await succeed(ids[0]!, { number: 2 });
  await edit(ledger, 'keep');
  t.is((await releaseParkedDeliveries(pool, shard)).count, 2);
});
