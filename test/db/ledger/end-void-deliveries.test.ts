import test, { type ExecutionContext } from 'ava';
import { allShards } from '../../../contract/deliveries/shards.ts';
import { disableForwarding, enableForwarding } from '../../../db/channels/channels.ts';
import { ledgerTransaction } from '../../../db/core/ledger-transaction.ts';
import { endVoidDeliveries } from '../../../db/ledger/end-void-deliveries.ts';
import { parkHeldDeliveries } from '../../../db/ledger/parked-deliveries.ts';
import { testAudit } from '../../harness/audit.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { endVoid } from '../../harness/end-void.ts';
import { aLease } from '../../harness/deliveries/a-lease.ts';
import {
  accepted,
  anItem,
  aSubscriptionDestination,
  aWebhookDestination,
  claim,
  deliveryRows,
  hotLedger,
} from '../../harness/deliveries/hot-ledger.ts';

/** A delivery of a workflow holds its conversation; one waits for the pump's retry, one is parked, and one is pending. */
async function waitingStage(t: ExecutionContext<unknown>) {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const destination = await aWebhookDestination(ledger, channel);
  const keys = [1, 2, 1, 3];
  const ids = await accepted(
    pool,
    keys.map((conversationKey) => anItem({ conversationKey })),
  );
  const [head, short] = ids as [number, number];
  const { shard } = destination;
  const leases = [await aLease(pool, shard)];
  const later = new Date(Date.now() + 3_600_000);
  await db('deliveries').where({ id: head }).update({ status: 'retrying', next_attempt_at: later });
  await db('deliveries')
    .where({ id: short })
    .update({ status: 'retrying', next_attempt_at: later, pump_retries: true });
  const hold = { destination_id: destination.id, conversation_key: 1, delivery_id: head, until_at: later };
  await db('conversation_holds').insert(hold);
  t.is(await parkHeldDeliveries(pool, { leases, destinationIds: [destination.id], heldIds: [] }), 1);
  const ends = async () => (await deliveryRows(pool)).map((row) => [row.status, row.skip_reason]);
  return { ...ledger, destination, shard, ids, ends };
}

for (const [what, table, change, end] of [
  ['its destination is deleted', 'destinations', { deleted_at: new Date() }, ['cancelled', null]],
  ['its destination is disabled', 'destinations', { enabled: false }, ['skipped', 'destination_disabled']],
  ['its channel is disconnected', 'channels', { disconnected_at: new Date() }, ['cancelled', null]],
  ['its channel is disabled', 'channels', { forwarding_enabled: false }, ['skipped', 'forwarding_disabled']],
] as const) {
  test(`a delivery is void if ${what}`, async (t) => {
    const { db, pool, shard, ids, ends } = await waitingStage(t);
    const before = await ends();
    t.is(await endVoid(pool), 0);
    t.deepEqual(await ends(), before);
    t.is((await claim(pool)).deliveries.length, 1);

    await db(table).update(change);
    t.deepEqual((await claim(pool)).deliveries, []);
    const [cancelledCount, skippedCount] = end[0] === 'cancelled' ? [4, 0] : [0, 4];
    const ended = { cancelledCount, skippedCount, workflowIds: [ids[0]!], isAll: true };
    t.deepEqual(await endVoidDeliveries(pool, [shard]), ended);
    t.deepEqual(await ends(), Array(4).fill([...end]));
    t.deepEqual(await db('conversation_holds'), []);
  });
}

test('a sweep ends the deliveries of its shards', async (t) => {
  const { db, pool, shard, ends } = await waitingStage(t);
  await db('destinations').update({ enabled: false });
  const before = await ends();
  const none = { cancelledCount: 0, skippedCount: 0, workflowIds: [], isAll: true };
  for (const shards of [[], allShards.filter((each) => each !== shard)])
    t.deepEqual(await endVoidDeliveries(pool, shards), none);
  t.deepEqual(await ends(), before);
});

test('a sweep leaves other destinations and locked deliveries', async (t) => {
  const stage = await waitingStage(t);
  const { db, pool, channel, destination, ids } = stage;
  await aSubscriptionDestination(stage, channel);
  const [toWebhook, toSubscription] = (await accepted(pool, [anItem()])) as [number, number];
  await db('destinations').where({ id: destination.id }).update({ deleted_at: new Date() });
  const settling = await db.transaction();
  await settling.raw('select from deliveries where id in (?, ?) for update', [ids[1]!, toWebhook]);
  t.is(await endVoid(pool), 3);
  await settling.commit();
  t.is(await endVoid(pool), 2);
  const left = (await deliveryRows(pool)).filter(({ status }) => status !== 'cancelled');
  t.deepEqual(
    left.map(({ id, status }) => [id, status]),
    [[toSubscription, 'pending']],
  );
});

/** Of a webhook; each hundredth has a workflow. */
async function withBacklog(t: ExecutionContext<unknown>) {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id, shard } = await aWebhookDestination(ledger, channel);
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, next_attempt_at)
     select n, ?, 1, dest.id, dest.shard, n, 'chatapp.message.received', case when n % 100 = 0 then 'retrying' else 'pending' end,
       case when n % 100 = 0 then now() end
     from generate_series(1, 12000) n, destinations dest where dest.id = ?`,
    [channel.id, id],
  );
  const counts = async () =>
    (await db('deliveries').select('status').count('* as count').groupBy('status').orderBy('status')).map(
      ({ status, count }) => [status, Number(count)],
    );
  const act = { ...channel, audit: testAudit };
  return { db, pool, shard, act, counts };
}

test('a change ends deliveries with workflows, and sweeps the others', async (t) => {
  const { db, pool, shard, act, counts } = await withBacklog(t);
  const { retrying } = await disableForwarding(db, act);
  t.is(retrying.length, 100);
  t.deepEqual(await counts(), [
    ['pending', 11_880],
    ['retrying', 20],
    ['skipped', 100],
  ]);
  const first = await endVoidDeliveries(pool, [shard]);
  t.like(first, { skippedCount: 2_020, isAll: false });
  t.is(first.workflowIds.length, 20);
  t.is(await endVoid(pool), 9_880);
  t.deepEqual(await counts(), [['skipped', 12_000]]);
});

test('a backlog does not delay the end of few deliveries elsewhere', async (t) => {
  const { db, pool, act } = await withBacklog(t);
  const fewId = await aSubscriptionDestination({ db }, act);
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
     select n, ?, 1, dest.id, dest.shard, n, 'chatapp.message.received', 'pending'
     from generate_series(1, 10) n, destinations dest where dest.id = ?`,
    [act.id, fewId],
  );
  await disableForwarding(db, act);
  t.false((await endVoidDeliveries(pool, allShards)).isAll);
  const statuses = await db('deliveries').where({ destination_id: fewId }).distinct('status').pluck('status');
  t.deepEqual(statuses, ['skipped']);
});

test('a change back ends what no sweep has ended', async (t) => {
  const { db, act, counts } = await withBacklog(t);
  await disableForwarding(db, act);
  await enableForwarding(db, act);
  t.deepEqual(await counts(), [
    ['pending', 9_880],
    ['skipped', 2_120],
  ]);
  await enableForwarding(db, act);
  t.is((await counts()).length, 2, 'forwarding is on');
});

test('a deadlocked transaction is retried a few times', async (t) => {
  const { db } = await testDatabase(t);
  let tries = 0;
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  const act = (failures: number) => () => (++tries <= failures ? Promise.reject(deadlock) : Promise.resolve('done'));
  t.is(await ledgerTransaction(db, act(2)), 'done');
  t.is(tries, 3);
  await t.throwsAsync(ledgerTransaction(db, act(100)), { is: deadlock });
  await t.throwsAsync(
    ledgerTransaction(db, () => Promise.reject(new Error('other'))),
    { message: 'other' },
  );
});
