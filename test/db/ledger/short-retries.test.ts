import test from 'ava';
import { MAX_WORKFLOWS_PER_DESTINATION } from '../../../contract/deliveries/what-next.ts';
import { cancelDelivery } from '../../../db/ledger/cancel-delivery.ts';
import { findFailedDeliveries, findOverdue } from '../../../db/ledger/failed-deliveries.ts';
import { releaseDueRetries } from '../../../db/ledger/release-due-retries.ts';
import { acquireLeases } from '../../../db/ledger/shards/shard-leases.ts';
import { returnToPump, takeFromPump } from '../../../db/ledger/pass-held-delivery.ts';
import { testAudit } from '../../harness/audit.ts';
import { failingLedger, type FailingLedger, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { claim, deliveryRows } from '../../harness/deliveries/hot-ledger.ts';

async function release({ pool, shard, fence }: FailingLedger) {
  const { counts, nextInMs } = await releaseDueRetries(pool, { leases: [{ shard, fence }], limit: 500 });
  return { count: counts.get(shard) ?? 0, nextInMs };
}
const makeDue = ({ db }: FailingLedger) =>
  db('deliveries').where({ status: 'retrying' }).update({ next_attempt_at: db.fn.now() });

test('a short retry waits without a workflow until it is due', async (t) => {
  const ledger = await failingLedger(t, { events: 2 });
  const { ids, fail, failure, statuses, pool, idKey, shard } = ledger;
  const { movedIds, promotedIds } = await fail([failure(ids[0]!, { delayMs: 60_000 })]);
  t.deepEqual([[...movedIds], [...promotedIds]], [[ids[0]!], []]);
  t.deepEqual(await findFailedDeliveries(pool, idKey, ids), [], 'adoption starts no workflow');
  const early = await release(ledger);
  t.is(early.count, 0);
  t.true(early.nextInMs! > 0 && early.nextInMs! <= 60_020);
  t.is(await statuses(), 'retrying,pending');

  await makeDue(ledger);
  t.deepEqual(await findOverdue(pool, idKey, { shards: [shard], overdueMs: -1_000, limit: 10 }), []);
  t.deepEqual(await release(ledger), { count: 1, nextInMs: null });
  t.is(await statuses(), 'pending,pending');
  const { deliveries } = await claim(pool);
  t.like(deliveries[0], { id: ids[0]!, attemptCount: 1, failedInSchedule: 1 });
});

test('a retry is released from the instant at which it is due', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { ids, fail, failure, anotherPool } = ledger;
  await fail([failure(ids[0]!)]);
  const pool = anotherPool(1); // one connection, whose transaction stops the clock
  await pool.query('begin');
  await pool.query("update deliveries set next_attempt_at = now() + interval '1 microsecond'");
  t.is((await release({ ...ledger, pool })).count, 0);
  await pool.query('update deliveries set next_attempt_at = now()');
  t.is((await release({ ...ledger, pool })).count, 1);
  await pool.query('rollback');
});

test('a released retry keeps its conversation until it is settled', async (t) => {
  const ledger = await failingLedger(t, { events: 2 });
  const { db, ids, fail, failure, succeed, pool } = ledger;
  await db('deliveries').update({ conversation_key: 0 });
  const claimed = async () => (await claim(pool)).deliveries.map(({ id }) => id);
  await fail([failure(ids[0]!)]);
  t.deepEqual(await claimed(), []);
  await makeDue(ledger);
  await release(ledger);
  t.deepEqual(await claimed(), [ids[0]!]);
  await succeed(ids[0]!, { number: 2 });
  t.deepEqual(await claimed(), [ids[1]!]);
});

test('the third failure starts a workflow', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { ids, fail, failure } = ledger;
  const failTime = async (number: number) => {
    const attempt = refusal({ number });
    const { promotedIds } = await fail([failure(ids[0]!, { attempt, failedInSchedule: number - 1 })]);
    await makeDue(ledger);
    if (promotedIds.size === 0) t.is((await release(ledger)).count, 1);
    return promotedIds.size;
  };
  t.deepEqual([await failTime(1), await failTime(2), await failTime(3)], [0, 0, 1]);
  t.is((await release(ledger)).count, 0, 'its workflow makes the next attempt');
});

test('a destination has a limited number of workflows', async (t) => {
  const ledger = await failingLedger(t, { events: MAX_WORKFLOWS_PER_DESTINATION + 20 });
  const { db, ids, fail, failure } = ledger;
  await db('deliveries').update({ attempt_count: 2, failed_in_schedule: 2 });
  const third = (id: number) => failure(id, { attempt: refusal({ number: 3 }), failedInSchedule: 2 });
  const first = await fail(ids.slice(0, 30).map(third));
  t.is(first.promotedIds.size, 30);
  const second = await fail(ids.slice(30).map(third));
  t.is(second.promotedIds.size, MAX_WORKFLOWS_PER_DESTINATION - 30);
  t.is(second.movedIds.size, ids.length - 30);
  await makeDue(ledger);
  t.is((await release(ledger)).count, 20);
});

test('a due retry behind an open circuit waits as pending', async (t) => {
  const ledger = await failingLedger(t);
  const { ids, fail, failure, pool, rules } = ledger;
  await fail(ids.slice(0, 5).map((id) => failure(id)));
  await makeDue(ledger);
  t.is((await release(ledger)).count, rules.firstProbeMs === 0 ? 0 : 5);
  t.deepEqual((await claim(pool)).deliveries, []);
});

test('an old fence releases no retries', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { db, ids, fail, failure, fence } = ledger;
  await fail([failure(ids[0]!)]);
  await makeDue(ledger);
  await db('shard_leases').update({ fence: fence + 1 });
  t.is((await release(ledger)).count, 0);
});

test('one statement releases the retries of several shards', async (t) => {
  const ledger = await failingLedger(t, { events: 4 });
  const { db, ids, fail, failure, fence, pool, shard, statuses } = ledger;
  await fail(ids.map((id) => failure(id)));
  await makeDue(ledger);
  const current = shard + 1;
  const outdated = shard + 2;
  const leases = await acquireLeases(pool, { shards: [current, outdated], holder: 'a' });
  await db('deliveries').where({ id: ids[2]! }).update({ shard: current });
  await db('deliveries').where({ id: ids[3]! }).update({ shard: outdated });
  const held = [
    { shard, fence },
    { shard: current, fence: leases.get(current)! },
    { shard: outdated, fence: leases.get(outdated)! - 1 },
  ];

  const cut = await releaseDueRetries(pool, { leases: held, limit: 1 });
  t.deepEqual([[...cut.counts], cut.isCut, cut.nextInMs], [[[shard, 1]], true, 0]);
  const rest = await releaseDueRetries(pool, { leases: held, limit: 500 });
  t.deepEqual([...rest.counts].toSorted(), [
    [shard, 1],
    [current, 1],
  ]);
  t.deepEqual([rest.isCut, rest.nextInMs], [false, null]);
  t.is(await statuses(), 'pending,pending,pending,retrying');
});

test('a release that lost a race is repeated', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { ids, fail, failure, pool } = ledger;
  await fail([failure(ids[0]!)]);
  await makeDue(ledger);
  await pool.query(`
    create sequence races;
    create function lose_first_race() returns trigger language plpgsql as $$
    begin
      if nextval('races') = 1 then raise 'lost' using errcode = 'serialization_failure'; end if;
      return new;
    end $$;
    create trigger lose_first_race before update on deliveries_waiting
      for each row execute function lose_first_race()`);
  t.is((await release(ledger)).count, 1);
});

test('a delivery taken from the pump is left to its workflow', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { db, ids, fail, failure, pool, idKey } = ledger;
  await fail([failure(ids[0]!)]);
  t.true(await takeFromPump(db, ids[0]!));
  t.false(await takeFromPump(db, ids[0]!));
  await makeDue(ledger);
  t.is((await release(ledger)).count, 0);
  t.is((await findFailedDeliveries(pool, idKey, ids)).length, 1, 'adoption can start its workflow');
  await returnToPump(db, ids[0]!);
  t.is((await release(ledger)).count, 1);
});

test('cancelling a short retry needs no workflow', async (t) => {
  const { db, ids, fail, failure, pool } = await failingLedger(t, { events: 1 });
  await fail([failure(ids[0]!)]);
  const audit = { ...testAudit, action: 'delivery.cancelled' };
  t.is(await cancelDelivery(db, { id: ids[0]!, audit }), 'pending');
  t.is((await deliveryRows(pool))[0]!.status, 'cancelled');
});
