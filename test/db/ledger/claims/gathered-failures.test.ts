import test from 'ava';
import type { FailedAttempt } from '../../../../db/ledger/settle-failed.ts';
import { deliveryRows } from '../../../harness/deliveries/hot-ledger.ts';
import { type FailingLedger, failingLedger, HOUR_MS, refusal } from '../../../harness/deliveries/failing-ledger.ts';

/** One request with several deliveries that fails, as the pump records it. */
function aFailedRequest({ failure }: FailingLedger, ids: readonly number[]): readonly FailedAttempt[] {
  const attempt = refusal({ batch: ids });
  return ids.map((id, index) => {
    const { after, ...failed } = failure(id, { attempt, hold: null });
    return { ...failed, after: index === 0 ? after : { ...after, countsForCircuit: 'never' } };
  });
}

test('deliveries that failed in one request are one failing delivery', async (t) => {
  const ledger = await failingLedger(t, { events: 4 });
  const { db, ids, fail, failure, standing } = ledger;
  await fail(aFailedRequest(ledger, ids.slice(0, 3)));
  t.like(await db('destinations').first('failed_several', 'failing_delivery_id'), {
    failed_several: false,
    failing_delivery_id: ids[0],
  });
  await db('destinations').update({ failing_since: new Date(Date.now() - 121 * HOUR_MS) });
  await fail([failure(ids[3]!)]);
  t.like(await standing(), { enabled: false, disabled_reason: 'failing' });
});

test('a request that does not count advances none of its deliveries', async (t) => {
  const ledger = await failingLedger(t, { events: 24 });
  const { pool, ids, fail, standing } = ledger;
  const requests = Array.from({ length: 8 }, (_, index) => ids.slice(index * 3, index * 3 + 3));
  const settled = await fail(requests.flatMap((request) => aFailedRequest(ledger, request)));
  t.like(await standing(), { circuit: 'open', consecutive_failures: 8 });
  t.deepEqual([...settled.movedIds].toSorted(byNumber), requests.slice(0, 5).flat());
  t.deepEqual([...settled.waitingIds].toSorted(byNumber), requests.slice(5).flat());
  const rows = await deliveryRows(pool);
  t.true(rows.slice(0, 15).every((row) => row.status === 'retrying' && row.failed_in_schedule === 1));
  t.true(rows.slice(15).every((row) => row.status === 'pending' && row.failed_in_schedule === 0));
  t.true(rows.every((row) => row.attempt_count === 1));
});

const byNumber = (a: number, b: number): number => a - b;
