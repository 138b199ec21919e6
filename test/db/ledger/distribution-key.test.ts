import test, { type ExecutionContext } from 'ava';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { aLease } from '../../harness/deliveries/a-lease.ts';
import { failedAttempt, type Failure, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { accepted, anItem, aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';

const accepting = { outcome: 'accepted', status: 200 } as const;
const hold = { conversationKey: 1, untilMs: Date.now() + 3_600_000 };

async function leasedDeliveries(t: ExecutionContext<unknown>, count: number) {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id: destinationId, shard } = await aWebhookDestination(ledger, channel);
  const items = Array.from({ length: count }, () => anItem());
  const ids = await accepted(pool, items);
  const lease = await aLease(pool, shard);
  const rules = { firstProbeMs: 5_000, disableAfterMs: 432_000_000 };
  const fail = (deliveryId: number, failure: Failure = {}) => {
    const failed = [failedAttempt({ deliveryId, destinationId, hold, lease, ...failure })];
    return settleFailed(pool, { failed, rules });
  };
  const acceptance = (deliveryId: number, number = 1) => ({
    deliveryId,
    destinationId,
    attempt: refusal({ ...accepting, number }),
  });
  const orders = { attempts: ['delivery_id', 'number'], conversation_holds: ['delivery_id'] };
  const channels = async (table: keyof typeof orders) =>
    await db(table).orderBy(orders[table]).select('delivery_id', 'channel_id');
  const inChannel = (...deliveryIds: readonly number[]) =>
    deliveryIds.map((id) => ({ delivery_id: id, channel_id: channel.id }));
  return { ...ledger, ids, fail, acceptance, channels, inChannel };
}

test('each settlement stores the channel of its rows', async (t) => {
  const { db, pool, ids, fail, acceptance, channels, inChannel } = await leasedDeliveries(t, 4);
  const [waiting, probed, ended, failed] = ids as [number, number, number, number];
  await settleAccepted(pool, [acceptance(waiting)]);
  await settleAccepted(pool, [acceptance(probed)]);
  await db('deliveries').where({ id: ended }).update({ status: 'cancelled' });
  await settleAccepted(pool, [acceptance(ended)]);
  await fail(failed);
  t.deepEqual(await channels('attempts'), inChannel(...ids));
  t.deepEqual(await channels('conversation_holds'), inChannel(failed));
});

test('an attempt of an unknown delivery is stored with its channel', async (t) => {
  const { pool, acceptance, channels, inChannel } = await leasedDeliveries(t, 1);
  await settleAccepted(pool, [acceptance(4_000)]);
  t.deepEqual(await channels('attempts'), inChannel(4_000));
});
