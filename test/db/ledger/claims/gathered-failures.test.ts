import test from 'ava';
import type { FailedAttempt } from '../../../../db/ledger/settle-failed.ts';
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
