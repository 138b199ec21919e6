import test from 'ava';
import { failingLedger, refusal } from '../../harness/deliveries/failing-ledger.ts';
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
