import test, { type ExecutionContext } from 'ava';
import { LISTENER_KEPT_DAYS } from '../../../../contract/listeners/bounds.ts';
import { endUnreadListeners } from '../../../../db/ledger/listeners/end-unread-listeners.ts';
import { findListener, touchListener } from '../../../../db/listeners/listeners.ts';
import { endVoid } from '../../../harness/end-void.ts';
import { deliveryRows, hotLedger } from '../../../harness/deliveries/hot-ledger.ts';
import { removeAllExpired } from '../../../harness/database/remove-expired.ts';
import { aLedgerDelivery } from '../../../harness/deliveries/ledger.ts';
import { aListener } from '../../../harness/listeners/listeners.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const cutoff = daysAgo(LISTENER_KEPT_DAYS);

async function stage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, channel, pool } = ledger;
  const statuses = async () => (await deliveryRows(pool)).map(({ status }) => status);
  const listener = async (lastReadDaysAgo: number | null, createdDaysAgo = 30) => {
    const made = await aListener(db, channel);
    const last_read_at = lastReadDaysAgo === null ? null : daysAgo(lastReadDaysAgo);
    await db('listeners').where({ public_id: made.publicId }).update({ last_read_at, created_at: daysAgo(createdDaysAgo) }); // prettier-ignore
    return made;
  };
  const isLive = async (publicId: string) => Boolean(await findListener(db, { channelId: channel.id, publicId }));
  return { ...ledger, statuses, listener, isLive };
}

test('an unread listener is deleted and its deliveries are cancelled', async (t) => {
  const { db, pool, channel, listener, isLive, statuses } = await stage(t);
  const unread = await listener(8);
  const never = await listener(null);
  const read = await listener(6);
  const fresh = await listener(null, 6); // prettier-ignore
  for (const { destinationId } of [unread, read]) await aLedgerDelivery(db, channel, { destinationId });
  t.deepEqual(await endUnreadListeners(db, { position: 0, cutoff }), { position: 0, removedCount: 2, isDone: true });
  t.deepEqual(await Promise.all([unread, never, read, fresh].map(({ publicId }) => isLive(publicId))), [false, false, true, true]); // prettier-ignore
  await endVoid(pool);
  t.deepEqual(await statuses(), ['cancelled', 'pending']);
  const entries = await db('audit_entries').where({ action: 'listener.deleted' }).orderBy('target_id');
  t.is(entries.length, 2);
  t.like(entries[0], { actor_type: 'system', actor_id: 'retention', workspace_id: channelWorkspace(entries) });
  t.is((await endUnreadListeners(db, { position: 0, cutoff })).removedCount, 0);
});

const channelWorkspace = (entries: readonly { workspace_id: number }[]) => entries[1]!.workspace_id;

test('a concurrent read keeps the listener', async (t) => {
  const { db, listener, isLive } = await stage(t);
  const { publicId } = await listener(8);
  await touchListener(db, publicId);
  t.is((await endUnreadListeners(db, { position: 0, cutoff })).removedCount, 0);
  t.true(await isLive(publicId));
});

test('old unread deliveries are exhausted unless they were restarted', async (t) => {
  const { db, channel, listener, statuses } = await stage(t);
  const one = await listener(0);
  const other = await listener(0);
  const row = (destinationId: number, days: number) =>
    aLedgerDelivery(db, channel, { destinationId, createdAt: daysAgo(days) });
  await row(one.destinationId, 9);
  const anew = await row(other.destinationId, 9);
  await row(other.destinationId, 8);
  await row(one.destinationId, 6);
  await db('deliveries')
    .where({ id: anew.id })
    .update({ restarted_at: daysAgo(1) });
  t.true((await endUnreadListeners(db, { position: 0, cutoff })).isDone);
  t.deepEqual(await statuses(), ['exhausted', 'pending', 'exhausted', 'pending']);
});

test('a large backlog is exhausted in several transactions', async (t) => {
  const { db, channel, listener, tenant } = await stage(t);
  const { destinationId } = await listener(0);
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, created_at)
     select n, ?, ?, ?, -1, n, 'chatapp.message.received', 'pending', now() - interval '8 days' from generate_series(1, 5000) n`,
    [channel.id, tenant.workspace.id, destinationId],
  );
  let rounds = 0;
  for (let isDone = false; !isDone; rounds++) ({ isDone } = await endUnreadListeners(db, { position: rounds, cutoff }));
  t.is(rounds, 3);
  const { rows } = await db.raw('select status, count(*) as count from deliveries group by status');
  t.deepEqual(rows, [{ status: 'exhausted', count: 5_000 }]);
});

test('old deleted listeners are removed before their destinations', async (t) => {
  const { db, listener } = await stage(t);
  const old = await listener(0);
  const young = await listener(0);
  const live = await listener(0);
  const at = { created_at: daysAgo(90) };
  await db('destinations').update(at);
  await db('listeners').update(at);
  for (const [{ destinationId: id }, days] of [[old, 40] as const, [young, 20] as const]) {
    await db('destinations')
      .where({ id })
      .update({ deleted_at: daysAgo(days) });
  }
  const before = { cutoff: daysAgo(30) };
  t.is(await removeAllExpired(db, 'destinations', before), 0, 'not before the listener');
  t.is(await removeAllExpired(db, 'listeners', before), 1);
  t.is(await removeAllExpired(db, 'destinations', before), 1);
  const left: number[] = await db('listeners').orderBy('id').pluck('destination_id');
  t.deepEqual(left, [young.destinationId, live.destinationId]);
});
