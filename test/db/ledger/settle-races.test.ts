import test from 'ava';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { failingLedger, refusal } from '../../harness/deliveries/failing-ledger.ts';
import {
  accepted,
  anItem,
  aSubscriptionDestination,
  deliveryRows,
  untilBlockedByLock,
} from '../../harness/deliveries/hot-ledger.ts';

for (const [who, failedInSchedule] of [
  ['first', 0],
  ['third', 2],
] as const) {
  for (const table of ['destinations', 'deliveries'] as const) {
    test(`a ${who} failure that waits for a row of ${table} is settled`, async (t) => {
      const { db, ids, destinationId, fail, failure } = await failingLedger(t, { events: 3 });
      await db('deliveries').update({ attempt_count: failedInSchedule, failed_in_schedule: failedInSchedule });
      const attempt = refusal({ number: failedInSchedule + 1 });
      const trx = await db.transaction();
      const change = table === 'destinations' ? { last_delivered_at: db.fn.now() } : { restarted_at: db.fn.now() };
      await trx(table)
        .where({ id: table === 'destinations' ? destinationId : ids[1]! })
        .update(change);
      const settled = fail(ids.map((id) => failure(id, { attempt, failedInSchedule })));
      await untilBlockedByLock(db);
      await trx.commit();
      t.is((await settled).movedIds.size, 3);
    });
  }
}

test('failures of a locked destination are left out', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, rules, destinationId, failure, fail } = ledger;
  await aSubscriptionDestination(ledger, ledger.channel);
  await accepted(pool, [anItem()]);
  const failed = (await deliveryRows(pool)).map((row) => ({
    ...failure(row.id, { hold: null }),
    destinationId: row.destination_id!,
  }));
  const locked = failed.find((one) => one.destinationId === destinationId)!;
  const other = failed.find((one) => one !== locked)!;
  const ending = await db.transaction();
  await ending.raw('select from destinations where id = ? for no key update', [destinationId]);
  const settled = await settleFailed(pool, { rules, failed }, { waits: false });
  await ending.commit();
  t.deepEqual([...settled.lockedIds], [destinationId]);
  t.deepEqual([...settled.movedIds], [other.deliveryId]);
  t.deepEqual(await db('attempts').pluck('delivery_id'), [other.deliveryId]);
  t.deepEqual([...(await fail([locked])).movedIds], [locked.deliveryId]);
});
