import test from 'ava';
import { ledgerTransaction } from '../../../db/core/ledger-transaction.ts';
import { applyPending } from '../../../db/ledger/apply-pending.ts';
import { deleteDestination, disableDestination } from '../../../db/ledger/destinations/destinations.ts';
import { parkHeldDeliveries, releaseParkedDeliveries } from '../../../db/ledger/parked-deliveries.ts';
import { endVoid } from '../../harness/end-void.ts';
import { type FailingLedger, failingLedger } from '../../harness/deliveries/failing-ledger.ts';
import { accepted, anItem, claim, deliveryRows } from '../../harness/deliveries/hot-ledger.ts';
import { pluck } from '../../harness/pluck.ts';

const edit = async ({ db, destinationId }: FailingLedger, pending: 'cancel' | 'keep' | 'follow') =>
  await ledgerTransaction(db, (trx) => applyPending(trx, { destinationId, pending }));

/** Changes with every write of a row. */
const versions = async ({ db }: FailingLedger) =>
  (await db.raw<{ rows: unknown[] }>('select id, tableoid, ctid::text, xmin::text from deliveries order by id')).rows;

for (const pending of ['keep', 'cancel', 'follow'] as const) {
  test(`an edit with '${pending}' writes no delivery`, async (t) => {
    const ledger = await failingLedger(t, { events: 3 });
    const { db, pool, ids, fail, failure, destinationId, channel } = ledger;
    await fail([failure(ids[0]!)]);
    const before = await versions(ledger);
    const { last_failure_at } = await db('destinations').where({ id: destinationId }).first();
    const id = await edit(ledger, pending);
    t.like(await db('destinations').where({ id }).first(), { last_failure_at }, 'the API shows it');
    t.deepEqual(await versions(ledger), before);
    t.is(id === destinationId, pending === 'follow');
    const [later] = await accepted(pool, [anItem()]);
    const rows = await deliveryRows(pool);
    t.is(rows.find((row) => row.id === later)!.destination_id, id);
    t.is((await db('destinations').where({ channel_id: channel.id }).whereNull('kept_for')).length, 1);
  });
}

test('nothing is replaced unless a delivery waits', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { ids, succeed, destinationId } = ledger;
  await succeed(ids[0]!);
  t.is(await edit(ledger, 'keep'), destinationId);
  t.is(await edit(ledger, 'cancel'), destinationId);
});

test('a further edit keeps all earlier URLs for the present one', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { db, pool, destinationId } = ledger;
  const second = await edit(ledger, 'keep');
  await accepted(pool, [anItem()]);
  const third = await edit({ ...ledger, destinationId: second }, 'keep');
  t.deepEqual(await db('destinations').whereIn('id', [destinationId, second, third]).orderBy('id').pluck('kept_for'), [
    third,
    third,
    null,
  ]);
});

test('deliveries cancelled by an edit are void', async (t) => {
  const ledger = await failingLedger(t, { events: 2 });
  const { pool, ids, fail, failure } = ledger;
  await fail([failure(ids[0]!)]);
  await edit(ledger, 'cancel');
  const [later] = await accepted(pool, [anItem()]);
  const { deliveries } = await claim(pool);
  t.deepEqual(
    deliveries.map((each) => each.id),
    [later!],
  );
  await endVoid(pool);
  const rows = await deliveryRows(pool);
  t.deepEqual(pluck(rows, 'status'), ['cancelled', 'cancelled', 'pending']);
});

test('old URLs are disabled and deleted with their destination', async (t) => {
  for (const end of [disableDestination, deleteDestination]) {
    const ledger = await failingLedger(t, { events: 2 });
    const { db, pool } = ledger;
    const destinationId = await edit(ledger, 'keep');
    await end(db, destinationId);
    await endVoid(pool);
    const expected = end === deleteDestination ? 'cancelled' : 'skipped';
    t.true((await deliveryRows(pool)).every(({ status }) => status === expected));
  }
});

test('failures and holds of the old URL stay with it', async (t) => {
  const ledger = await failingLedger(t, { events: 3 });
  const { db, pool, ids, fail, failure, succeed, shard, fence, destinationId } = ledger;
  await db('deliveries').update({ conversation_key: 0 });
  const id = await edit(ledger, 'keep');
  await fail([failure(ids[0]!)]);
  t.is(await parkHeldDeliveries(pool, { leases: [{ shard, fence }], destinationIds: [destinationId], heldIds: [] }), 2);
  t.deepEqual(await db('conversation_holds').pluck('destination_id'), [destinationId]);
  t.like(await db('destinations').where({ id }).first(), { consecutive_failures: 0, last_failure_at: null });
  await succeed(ids[0]!, { number: 2 });
  t.is((await releaseParkedDeliveries(pool, [shard])).count, 2);
});
