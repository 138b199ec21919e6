import test from 'ava';
import { MAX_WORKFLOWS_PER_DESTINATION } from '../../../contract/deliveries/what-next.ts';
import { cancelDelivery } from '../../../db/ledger/cancel-delivery.ts';
import { findFailedDeliveries, findOverdue } from '../../../db/ledger/failed-deliveries.ts';
import { releaseDueRetries } from '../../../db/ledger/release-due-retries.ts';
import { returnToPump, takeFromPump } from '../../../db/ledger/take-from-pump.ts';
import { testAudit } from '../../harness/audit.ts';
import { failingLedger, type FailingLedger, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { claim, deliveryRows } from '../../harness/deliveries/hot-ledger.ts';

const release = ({ pool, shard, fence }: FailingLedger) => releaseDueRetries(pool, { shard, fence, limit: 500 });
const makeDue = ({ db }: FailingLedger) =>
  db('deliveries').where({ status: 'retrying' }).update({ next_attempt_at: db.fn.now() });

test('a short retry waits without a workflow until it is due', async (t) => {
  const ledger = await failingLedger(t, { events: 2 });
  const { ids, fail, failure, statuses, pool, idKey, shard } = ledger;
  const { movedIds, promotedIds } = await fail([failure(ids[0]!)]);
  t.deepEqual([[...movedIds], [...promotedIds]], [[ids[0]!], []]);
  t.deepEqual(await findFailedDeliveries(pool, idKey, ids), [], 'adoption starts no workflow');
  const early = await release(ledger);
  t.is(early.count, 0);
  t.true(early.nextInMs! > 0 && early.nextInMs! <= 5_020);
  t.is(await statuses(), 'retrying,pending');

  await makeDue(ledger);
  t.deepEqual(await findOverdue(pool, idKey, { shards: [shard], overdueMs: -1_000, limit: 10 }), []);
  t.deepEqual(await release(ledger), { count: 1, nextInMs: null });
  t.is(await statuses(), 'pending,pending');
  const { deliveries } = await claim(pool, { shard });
  t.like(deliveries[0], { id: ids[0]!, attemptCount: 1, failedInSchedule: 1 });
});

test('a released retry keeps its conversation until it is settled', async (t) => {
  const ledger = await failingLedger(t, { events: 2 });
  const { db, ids, fail, failure, succeed, pool, shard } = ledger;
  await db('deliveries').update({ conversation_key: 0 });
  const claimed = async () => (await claim(pool, { shard })).deliveries.map(({ id }) => id);
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
  const { ids, fail, failure, pool, shard, rules } = ledger;
  await fail(ids.slice(0, 5).map((id) => failure(id)));
  await makeDue(ledger);
  t.is((await release(ledger)).count, rules.firstProbeMs === 0 ? 0 : 5);
  t.deepEqual((await claim(pool, { shard })).deliveries, []);
});

test('an old fence releases no retries', async (t) => {
  const ledger = await failingLedger(t, { events: 1 });
  const { db, ids, fail, failure, fence } = ledger;
  await fail([failure(ids[0]!)]);
  await makeDue(ledger);
  await db('shard_leases').update({ fence: fence + 1 });
  t.is((await release(ledger)).count, 0);
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
