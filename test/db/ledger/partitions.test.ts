import test, { type ExecutionContext } from 'ava';
import { cancelDelivery } from '../../../db/ledger/cancel-delivery.ts';
import { restartDelivery } from '../../../db/ledger/restart-delivery.ts';
import { testAudit } from '../../harness/audit.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  deliveryRows,
  hotLedger,
  untilBlockedByLock,
} from '../../harness/deliveries/hot-ledger.ts';
import { pluck } from '../../harness/pluck.ts';

async function acceptedDelivery(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  await aWebhookDestination(ledger, ledger.channel);
  const [id] = await accepted(ledger.pool, [anItem()]);
  const partition = async () => {
    const { rows } = await ledger.pool.query<{ partition: string }>(
      'select tableoid::regclass::text as partition from deliveries',
    );
    return rows.map((row) => row.partition);
  };
  return { ...ledger, id: id!, partition };
}

test('an ended delivery returns to the waiting ones when it is restarted', async (t) => {
  const { db, id, partition } = await acceptedDelivery(t);
  const audit = { ...testAudit, action: 'delivery.retried' as const, targetId: 'wd_1' };
  t.deepEqual(await partition(), ['deliveries_waiting']);
  t.is(await cancelDelivery(db, { id, audit }), 'pending');
  t.deepEqual(await partition(), ['deliveries_ended_0']);
  t.is((await restartDelivery(db, { id, from: 'cancelled', audit })).outcome, 'restarted');
  t.deepEqual(await partition(), ['deliveries_waiting']);
});

test('a waiter for a delivery that ends meanwhile sees its end', async (t) => {
  const { pool, db, id } = await acceptedDelivery(t);
  const ending = await db.transaction();
  await ending.raw("update deliveries set status = 'delivered' where id = ? and status = 'pending'", [id]);
  const audit = { ...testAudit, action: 'delivery.cancelled' as const, targetId: 'wd_1' };
  const cancelling = cancelDelivery(db, { id, audit });
  await untilBlockedByLock(db);
  await ending.commit();
  t.is(await cancelling, undefined);
  t.deepEqual(pluck(await deliveryRows(pool), 'status'), ['delivered']);
});

test('statements about waiting deliveries read no ended partition', async (t) => {
  const { pool } = await hotLedger(t);
  const planOf = async (where: string): Promise<string> => {
    const { rows } = await pool.query<Record<string, string>>(`explain select * from deliveries where ${where}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  for (const where of ["status = 'pending' and shard = 1", "id = 5 and status in ('pending', 'retrying')"]) {
    t.notRegex(await planOf(where), /deliveries_ended/);
  }
  t.regex(await planOf("channel_id = 1 and status = 'delivered'"), /deliveries_ended_0/);
});
