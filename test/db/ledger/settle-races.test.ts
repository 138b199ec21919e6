import test from 'ava';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { failingLedger, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { accepted, anItem, aSubscriptionDestination, deliveryRows } from '../../harness/deliveries/hot-ledger.ts';
import { until } from '../../harness/until.ts';

const waitingSql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

for (const [who, failedInSchedule] of [
  ['first', 0],
  ['third', 2],
] as const) {
  test(`a ${who} failure that waits for its destination is settled`, async (t) => {
    const ledger = await failingLedger(t, { events: 3 });
    const { db, pool, ids, destinationId, fail, failure } = ledger;
    await db('deliveries').update({ attempt_count: failedInSchedule, failed_in_schedule: failedInSchedule });
    const attempt = refusal({ number: failedInSchedule + 1 });
    const failures = ids.map((id) => failure(id, { attempt, failedInSchedule }));
    const trx = await db.transaction();
    await trx('destinations').where({ id: destinationId }).update({ last_delivered_at: db.fn.now() });
    const settled = fail(failures);
    await until(async () => (await pool.query(waitingSql)).rowCount === 1, { for: 'The settlement to wait' });
    await trx.commit();
    t.is((await settled).movedIds.size, 3);
  });

  test(`a ${who} failure that waits for its delivery is settled`, async (t) => {
    const ledger = await failingLedger(t, { events: 3 });
    const { db, pool, ids, fail, failure } = ledger;
    await db('deliveries').update({ attempt_count: failedInSchedule, failed_in_schedule: failedInSchedule });
    const attempt = refusal({ number: failedInSchedule + 1 });
    const failures = ids.map((id) => failure(id, { attempt, failedInSchedule }));
    const trx = await db.transaction();
    await trx('deliveries').where({ id: ids[1]! }).update({ restarted_at: db.fn.now() });
    const settled = fail(failures);
    await until(async () => (await pool.query(waitingSql)).rowCount === 1, { for: 'The settlement to wait' });
    await trx.commit();
    t.is((await settled).movedIds.size, 3);
  });
}

test('failures of a locked destination are left out', async (t) => {
  const ledger = await failingLedger(t, { events: 0 });
  const { db, pool, shard, fence, rules, destinationId, failure, fail } = ledger;
  await aSubscriptionDestination(ledger, ledger.channel);
  await db('destinations').update({ shard });
  await accepted(pool, [anItem()]);
  const failed = (await deliveryRows(pool)).map((row) => ({
    ...failure(row.id, { hold: null }),
    destinationId: row.destination_id!,
  }));
  const locked = failed.find((one) => one.destinationId === destinationId)!;
  const other = failed.find((one) => one !== locked)!;
  const ending = await db.transaction();
  await ending.raw('select from destinations where id = ? for no key update', [destinationId]);
  const settled = await settleFailed(pool, { lease: { shard, fence }, rules, failed }, { waits: false });
  await ending.commit();
  t.deepEqual([...settled.lockedIds], [destinationId]);
  t.deepEqual([...settled.movedIds], [other.deliveryId]);
  t.deepEqual(await db('attempts').pluck('delivery_id'), [other.deliveryId]);
  t.deepEqual([...(await fail([locked])).movedIds], [locked.deliveryId]);
});
