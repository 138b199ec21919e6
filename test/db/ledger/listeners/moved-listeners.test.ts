import test, { type ExecutionContext } from 'ava';
import { acceptItems } from '../../../../db/ledger/accept.ts';
import { endLeftListenerDeliveries } from '../../../../db/ledger/listeners/end-left-listener-deliveries.ts';
import { FIRST_POSITION, readListenerDeliveries } from '../../../../db/ledger/listeners/listener-deliveries.ts';
import { moveChannel } from '../../../../db/channels/move-channel.ts';
import { insertWorkspace } from '../../../../db/organizations/workspaces.ts';
import { eventually } from '../../../harness/eventually.ts';
import { anItem, deliveryRows, hotLedger, untilBlockedByLock } from '../../../harness/deliveries/hot-ledger.ts';
import { aListener } from '../../../harness/listeners/listeners.ts';
import { testSecretBox } from '../../../harness/tenants.ts';

async function stage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, pool, channel, tenant } = ledger;
  const { destinationId } = await aListener(db, channel);
  const organizationId = tenant.organization.id;
  const { id: target } = await insertWorkspace(db, { organizationId, name: 'Shop', kind: 'customer' });
  const source = tenant.workspace.id;
  const move = (fromWorkspaceId: number, toWorkspaceId: number) =>
    db.transaction((trx) => moveChannel(trx, testSecretBox, { channelId: channel.id, fromWorkspaceId, toWorkspaceId }));
  const read = (workspaceId: number) =>
    readListenerDeliveries(db, { destinationId, workspaceId, after: FIRST_POSITION, limit: 10 });
  const statuses = async () => (await deliveryRows(pool)).map(({ status }) => status);
  return { ...ledger, destinationId, source, target, move, read, statuses };
}

test('an event accepted during a channel move is cancelled for listeners', async (t) => {
  const { db, pool, channel, anotherPool, source, target, move, read, statuses } = await stage(t);
  const late = anItem();
  const holder = anotherPool(1);
  await holder.query('begin');
  await holder.query('insert into event_keys (channel_id, key) values ($1, $2)', [channel.id, late.key]);
  const accepting = acceptItems(pool, [late]); // has read the channel and waits for the transaction with the same key
  await untilBlockedByLock(db);
  t.is(await move(source, target), 'moved');
  await holder.query('rollback');
  t.like(await accepting, { eventCount: 1, deliveryCount: 1 });
  await acceptItems(pool, [anItem()]);
  await eventually(async () => (await read(target)).length === 1);
  const { rows } = await db.raw('select workspace_id, status from deliveries order by id');
  t.deepEqual(rows, [
    { workspace_id: source, status: 'pending' },
    { workspace_id: target, status: 'pending' },
  ]);

  t.deepEqual(await endLeftListenerDeliveries(pool), { count: 1, isAll: true });
  t.deepEqual(await statuses(), ['cancelled', 'pending']);
  // A transaction of another test that ends during the read hides the delivery for this read.
  await eventually(async () => (await read(target)).length === 1);
  t.deepEqual(await endLeftListenerDeliveries(pool), { count: 0, isAll: true });
});

for (const where of ['older', 'newer'] as const) {
  test(`only deliveries left in the ${where} workspace are ended in batches`, async (t) => {
    const { pool, channel, destinationId, source, target, move, statuses } = await stage(t);
    await move(source, target);
    if (where === 'newer') await move(target, source);
    const [left, now] = where === 'older' ? [source, target] : [target, source];
    const insert = (workspaceId: number, count: number) =>
      pool.query(
        `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
         select n, $1, $2, $3, -1, n, 'chatapp.message.received', 'pending' from generate_series(1, $4::int) n`,
        [channel.id, workspaceId, destinationId, count],
      );
    await insert(now, 2);
    await insert(left, 2_500);
    t.deepEqual(await endLeftListenerDeliveries(pool), { count: 2_000, isAll: false });
    t.deepEqual(await endLeftListenerDeliveries(pool), { count: 500, isAll: true });
    const ended = await statuses();
    t.deepEqual(ended.slice(0, 2), ['pending', 'pending']);
    t.true(ended.slice(2).every((status) => status === 'cancelled'));
  });
}
