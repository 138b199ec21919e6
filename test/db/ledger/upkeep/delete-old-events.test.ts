import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { deleteOldEventKeys } from '../../../../db/upkeep/rotate-event-keys.ts';
import { insertReplayedDelivery } from '../../../../db/ledger/replays/replay-delivery.ts';
import { restartDelivery } from '../../../../db/ledger/restart-delivery.ts';
import { untilBlockedByLock } from '../../../harness/deliveries/hot-ledger.ts';
import { aDestination } from '../../../harness/deliveries/ledger.ts';
import { daysAgo, oldEventsStage, sweepOldEvents } from '../../../harness/replays/old-events.ts';

const cutoff = daysAgo(30);
const oldAt = daysAgo(31);
const youngAt = daysAgo(29);

const stage = (t: ExecutionContext) => oldEventsStage(t, oldAt);
const sweep = (db: Knex): Promise<number> => sweepOldEvents(db, { cutoff });

test('an old event is deleted with all its dependent rows', async (t) => {
  const { db, old, destinationId, depend, dependents } = await stage(t);
  const { id } = await old({ status: 'exhausted' });
  const again = await insertReplayedDelivery(db, { sourceId: id, destinationId });
  await db('deliveries').where({ id: again }).update({ status: 'delivered', created_at: oldAt });
  await depend(id, again);
  t.is(await sweep(db), 1);
  t.deepEqual(await dependents(), []);
});

test('a waiting, recent, restarted or replayed delivery keeps its event', async (t) => {
  const { db, old, left, destinationId } = await stage(t);
  const kept = [
    await old({ status: 'pending' }),
    await old({ status: 'retrying' }),
    await old({ createdAt: youngAt }),
    await old({ status: 'cancelled' }),
    await old({ status: 'delivered' }),
  ].map(({ id }) => id);
  await db('deliveries').where({ id: kept[3] }).update({ restarted_at: youngAt });
  const again = await insertReplayedDelivery(db, { sourceId: kept[4]!, destinationId });
  await db('deliveries').where({ id: again }).update({ status: 'delivered' });
  await old();
  await old({ status: 'skipped', skipReason: 'no_destination', destinationId: null });
  t.is(await sweep(db), 2);
  t.deepEqual(await left(), [...kept, again]);
  t.is((await db('events')).length, 5);
});

test("a waiting delivery keeps its event and the event's other deliveries", async (t) => {
  const { db, old, left, channel } = await stage(t);
  const { id } = await old();
  const other = await aDestination(db, channel);
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, created_at)
     select event_id, channel_id, workspace_id, ?, 0, 1, event_type, 'pending', created_at from deliveries where id = ?`,
    [other, id],
  );
  t.is(await sweep(db), 0);
  t.is((await left()).length, 2);
});

test('an active replay keeps the events it may plan or send', async (t) => {
  const { db, left, sources, replay, plan, send } = await stage(t);
  const ids = await sources(3, { createdAt: oldAt });
  const replayId = await replay({ since: new Date(0) });
  t.is(await sweep(db), 0, 'the replay is in planning');
  await plan(replayId);
  t.is(await sweep(db), 0, 'the items are not sent');
  await db('replays')
    .where({ public_id: replayId })
    .update({ rate_per_second: 1, paced_at: new Date(0) });
  t.is((await send(replayId)).sentCount, 1);
  await db('deliveries').where('conversation_key', '<', 0).update({ status: 'delivered', created_at: oldAt });
  t.is(await sweep(db), 1, 'sent items do not keep events');
  t.false((await left()).includes(ids[0]!));
  await db('replays').where({ public_id: replayId }).update({ status: 'cancelled', ended_at: new Date() });
  t.is(await sweep(db), 2, 'an ended replay keeps no events');
});

test('a concurrent replay keeps the event or finds it deleted', async (t) => {
  const { db, old, left, destinationId } = await stage(t);
  const { id } = await old();
  const replaying = await db.transaction();
  const again = await insertReplayedDelivery(replaying, { sourceId: id, destinationId });
  t.is(await sweep(db), 0, 'the event is locked');
  await replaying.commit();
  t.is(await sweep(db), 0, 'the delivery is waiting');
  t.deepEqual(await left(), [id, again]);

  await db('deliveries').update({ status: 'delivered' });
  const removing = await db.transaction();
  await removing('events').delete();
  const late = insertReplayedDelivery(db, { sourceId: id, destinationId });
  await untilBlockedByLock(db);
  await removing.commit();
  await t.throwsAsync(late, { message: /No delivery/ });
});

test('a concurrently restarted delivery keeps its event', async (t) => {
  const { db, old, left } = await stage(t);
  const { id } = await old({ status: 'exhausted' });
  const restarting = await db.transaction();
  const audit = { organizationId: null, actor: { type: 'system', id: 'test' }, action: 'delivery.retried' } as const;
  const restart = await restartDelivery(restarting, { id, from: 'exhausted', audit });
  t.is(restart.outcome, 'restarted');
  t.is(await sweep(db), 0);
  await restarting.commit();
  t.is(await sweep(db), 0);
  t.deepEqual(await left(), [id]);
});

test('a sweep skips locked rows without waiting', async (t) => {
  const { db, old } = await stage(t);
  const { id } = await old();
  await old();
  const other = await db.transaction();
  await other.raw('select from deliveries where id = ? for update', [id]);
  t.is(await sweep(db), 1);
  await other.commit();
  t.is(await sweep(db), 1);
});

test('old events are deleted in batches past events that stay', async (t) => {
  const { db, channel } = await stage(t);
  await db.raw(
    `with event as (
       insert into events (channel_id, workspace_id, event_type, conversation_key, body, created_at)
       select id, workspace_id, 'chatapp.message.received', 1, '\\x', cast(? as timestamptz) from channels, generate_series(1, 1300)
       where channels.id = ? returning *)
     insert into deliveries (event_id, channel_id, workspace_id, shard, conversation_key, event_type, status, skip_reason, created_at)
     select id, channel_id, workspace_id, 0, 1, event_type, 'skipped', 'no_destination',
       case when id % 100 = 0 then now() else created_at end from event`,
    [oldAt, channel.id],
  );
  const young = Number((await db('deliveries').where('created_at', '>', cutoff).count())[0]!.count);
  t.is(await sweep(db), 1300 - young);
  t.is((await db('events')).length, young);
});

test('dedupe keys are deleted by age, page by page', async (t) => {
  const { db, channel } = await stage(t);
  await db.raw(
    `insert into event_keys (channel_id, key, created_at)
     select ?, gen_random_uuid(), case when n % 3 = 0 then now() else cast(? as timestamptz) end from generate_series(1, 12000) n`,
    [channel.id, oldAt],
  );
  let removed = 0;
  let batches = 0;
  for (let position = 0, isDone = false; !isDone; batches++) {
    const batch = await deleteOldEventKeys(db, { position, cutoff });
    removed += batch.removedCount;
    ({ position, isDone } = batch);
  }
  t.is(removed, 8000);
  t.true(batches > 1);
  t.is(Number((await db('event_keys').where('created_at', '<', cutoff).count())[0]!.count), 0);
});
