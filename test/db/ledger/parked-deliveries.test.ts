import test, { type ExecutionContext } from 'ava';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { changeDestination } from '../../../db/destinations/change-destination.ts';
import type { Claim } from '../../../db/ledger/claim.ts';
import { parkHeldDeliveries, releaseParkedDeliveries } from '../../../db/ledger/parked-deliveries.ts';
import { aLease } from '../../harness/deliveries/a-lease.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  claim,
  hotLedger,
  untilBlockedByLock,
} from '../../harness/deliveries/hot-ledger.ts';

const idsOf = ({ deliveries }: Claim): number[] => deliveries.map(({ id }) => id);
const HOUR_MS = 3_600_000;

/** The first delivery waits for its retry and holds its conversation. */
async function heldLedger(t: ExecutionContext, { behind = 3, isNew = false } = {}) {
  const ledger = await hotLedger(t, { isNew });
  const { pool, db } = ledger;
  const { id: destinationId, shard } = await aWebhookDestination(ledger, ledger.channel);
  const [headId, ...ids] = await accepted(
    pool,
    Array.from({ length: behind + 1 }, () => anItem({ conversationKey: 1 })),
  );
  const until = new Date(Date.now() + HOUR_MS);
  await db('deliveries').where({ id: headId }).update({ status: 'retrying', next_attempt_at: until });
  const hold = { destination_id: destinationId, conversation_key: 1, delivery_id: headId! };
  await db('conversation_holds').insert({ ...hold, until_at: until });
  const lease = await aLease(pool, shard);
  const park = (on: HotPool = pool, heldIds: readonly number[] = []) =>
    parkHeldDeliveries(on, { leases: [lease], destinationIds: [destinationId], heldIds });
  const release = () => releaseParkedDeliveries(pool, [shard]);
  const parkedIds = async () => (await db('deliveries_parked').orderBy('id').pluck('id')) as number[];
  return { ...ledger, destinationId, shard, headId: headId!, ids, hold, park, release, parkedIds };
}

test('deliveries behind a hold are parked and return with its end', async (t) => {
  const { pool, db, destinationId, headId, ids, hold, park, release, parkedIds } = await heldLedger(t);
  const [other] = await accepted(pool, [anItem({ conversationKey: 2 })]);
  const first = await claim(pool);
  t.deepEqual(idsOf(first), [other]);
  t.deepEqual(first.heldDestinationIds, [destinationId]);
  t.is(await park(), 3);
  t.deepEqual(await parkedIds(), ids);
  t.deepEqual((await claim(pool)).heldDestinationIds, []);
  t.deepEqual(await release(), { count: 0, destinationIds: [], hadParked: true });
  await db('conversation_holds').where(hold).delete();
  await db('deliveries').where({ id: headId }).update({ status: 'delivered', next_attempt_at: null });
  t.like(await release(), { count: 3 });
  t.deepEqual(idsOf(await claim(pool)), [...ids, other]);
  t.deepEqual(await release(), { count: 0, destinationIds: [], hadParked: false });
});

test('a parked delivery blocks later ones of its conversation', async (t) => {
  const { pool, db, ids, hold, park, release } = await heldLedger(t);
  await park();
  const [later] = await accepted(pool, [anItem({ conversationKey: 1 })]);
  await db('conversation_holds').where(hold).delete();
  t.deepEqual(idsOf(await claim(pool)), []);
  await release();
  t.deepEqual(idsOf(await claim(pool)), [...ids, later]);
});

test('a hold that ends while deliveries are being parked releases them', async (t) => {
  const { db, hold, park, release, parkedIds, anotherPool } = await heldLedger(t);
  const parking = anotherPool(1);
  await parking.query('begin');
  t.is(await park(parking), 3);
  const ending = db('conversation_holds')
    .where(hold)
    .delete()
    .then((count) => count);
  await untilBlockedByLock(db);
  await parking.query('commit');
  t.is(await ending, 1);
  t.like(await release(), { count: 3 });
  t.deepEqual(await parkedIds(), []);
});

test('parking waits for no hold that is being deleted', async (t) => {
  const { db, hold, park, parkedIds } = await heldLedger(t);
  const ending = await db.transaction();
  await ending('conversation_holds').where(hold).delete();
  t.is(await park(), 0);
  await ending.commit();
  t.deepEqual(await parkedIds(), []);
});

test('a release waits for no delivery that is being ended', async (t) => {
  const { db, ids, hold, park, release, parkedIds } = await heldLedger(t);
  await park();
  await db('deliveries_parked').where({ id: ids[1]! }).update({ next_attempt_at: db.fn.now() });
  const ending = await db.transaction();
  await ending.raw('select from deliveries where id = ? for update', [ids[1]!]);
  await db('conversation_holds').where(hold).delete();
  t.like(await release(), { count: 2 });
  t.like(await release(), { count: 0 });
  await ending.rollback();
  t.like(await release(), { count: 1 });
  t.deepEqual(await parkedIds(), []);
  t.deepEqual(await db('conversation_releases'), []);
});

test('parked deliveries return when their hold would have expired', async (t) => {
  const { db, park, release, parkedIds } = await heldLedger(t);
  await park();
  await db.raw(`update deliveries_parked set next_attempt_at = now() - interval '1 second'`);
  t.like(await release(), { count: 3 });
  t.deepEqual(await parkedIds(), []);
});

test('a delivery behind two heads stays parked until both end', async (t) => {
  const { db, ids, hold, park, release, parkedIds } = await heldLedger(t);
  const second = { ...hold, delivery_id: ids[0]! };
  await db('conversation_holds').insert({ ...second, until_at: new Date(Date.now() + HOUR_MS) });
  await park();
  await db('conversation_holds').where(hold).delete();
  t.like(await release(), { count: 1 });
  t.deepEqual(await parkedIds(), ids.slice(1));
  await db('conversation_holds').where(second).delete();
  t.like(await release(), { count: 2 });
});

test('a head whose hold has expired keeps no delivery parked', async (t) => {
  const { db, ids, hold, park, release } = await heldLedger(t);
  const second = { ...hold, delivery_id: ids[0]! };
  await db('conversation_holds').insert({ ...second, until_at: new Date(Date.now() + HOUR_MS) });
  await park();
  await db('conversation_holds').where(second).update({ until_at: db.fn.now() });
  await db('conversation_holds').where(hold).delete();
  t.like(await release(), { count: 3 });
});

test('deliveries that a pump holds or without its lease are not parked', async (t) => {
  const { pool, ids, shard, destinationId, park } = await heldLedger(t);
  t.is(await park(pool, ids), 0);
  const leases = [{ shard, fence: 0 }];
  t.is(await parkHeldDeliveries(pool, { leases, destinationIds: [destinationId], heldIds: [] }), 0);
  t.is(await parkHeldDeliveries(pool, { leases: [], destinationIds: [destinationId], heldIds: [] }), 0);
});

test('a destination without ordering gets its parked deliveries back', async (t) => {
  const { db, channel, destinationId, park, release } = await heldLedger(t);
  const webhook = { channel_id: channel.id, destination_id: destinationId, ...verified };
  await db('webhook_configs').insert(webhook).onConflict('channel_id').merge();
  await park();
  await changeDestination(db, { channelId: channel.id, subscriptionId: null, ordering: 'none' });
  t.like(await release(), { count: 3 });
});

test('the order to release a deleted destination does not stay', async (t) => {
  const { db, destinationId, release } = await heldLedger(t);
  await db('conversation_releases').insert({ destination_id: destinationId });
  await db('destinations').where({ id: destinationId }).update({ deleted_at: new Date(), enabled: false });
  await release();
  t.deepEqual(await db('conversation_releases'), []);
});

const verified = { verified_at: new Date(), verify_token_encrypted: 'sealed' };

test('a claim reads no parked deliveries', async (t) => {
  const { db, shard, park, anotherPool } = await heldLedger(t, { behind: 3_000, isNew: true });
  const pool = anotherPool(1);
  const buffersRead = async (): Promise<number> => {
    await claim(pool);
    const { rows } = await pool.query<Record<string, string>>(
      `explain (analyze, buffers, timing off) execute "claim-deliveries" ('{${shard}}', '{}', '{}', '{}', '{}', 100, 512)`,
    );
    const [, count] = /shared hit=(\d+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))!;
    return Number(count);
  };
  t.true((await buffersRead()) > 500);
  while ((await park(pool)) > 0);
  t.is((await db('deliveries_parked')).length, 3_000);
  t.true((await buffersRead()) < 100);
});
