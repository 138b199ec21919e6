import test, { type ExecutionContext } from 'ava';
import { acceptItems } from '../../../../db/ledger/accept.ts';
import { applyPending } from '../../../../db/ledger/apply-pending.ts';
import { markSeen } from '../../../../db/ledger/shards/fleet.ts';
import { endHandOver, handOver } from '../../../../db/ledger/shards/hand-over.ts';
import { acquireLease } from '../../../../db/ledger/shards/shard-leases.ts';
import {
  adoptStrays,
  endMoves,
  listArrivals,
  moveWaitingDeliveries,
  listMoves,
  moveDestinations,
  type MoveRequest,
} from '../../../../db/ledger/shards/move-destinations.ts';
import { finishResharding, setTargetShards } from '../../../../db/ledger/shards/resharding.ts';
import { accepted, anItem, aWebhookDestination, claim, hotLedger } from '../../../harness/deliveries/hot-ledger.ts';

/** A destination in shard 0, which belongs to shard 1. */
async function movingStage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id } = await aWebhookDestination(ledger, channel);
  await db('destinations').where({ id }).update({ shard: 0 });
  for (const holder of ['former', 'new', 'next']) await markSeen(pool, { holder, roles: ['pump'] });
  await setTargetShards(db, 16);
  const { rows } = await db.raw('select mod(hashint8(?)::bigint & 2147483647, 16)::int as shard', [id]);
  const toShard = Number(rows[0].shard);
  if (toShard === 0) throw new Error('The destination stays in shard 0');
  const fence = (await acquireLease(pool, { shard: 0, holder: 'former' }))!;
  await acquireLease(pool, { shard: toShard, holder: 'new' });

  const move = (request: Partial<MoveRequest> = {}) =>
    moveDestinations(pool, {
      shard: 0,
      fence,
      moves: [{ id, toShard }],
      inFlight: [],
      overdueMs: 60_000,
      ...request,
    });
  const inFlight = (deliveryId: number) => ({ id: deliveryId, destinationId: id, conversationKey: 1 });
  const claimed = async (shard: number) => (await claim(pool, { shard })).deliveries.map((each) => each.id);
  return { ...ledger, id, toShard, fence, move, inFlight, claimed };
}

test('only the new pump reads a moved destination, from both shards', async (t) => {
  const { pool, claimed, move, toShard, id } = await movingStage(t);
  const before = await accepted(pool, [anItem(), anItem()]);
  t.deepEqual(await claimed(0), before);
  t.deepEqual(await listMoves(pool, 0), [{ id, toShard }]);
  t.deepEqual(await move(), [id]);
  const after = await accepted(pool, [anItem()]);
  t.deepEqual(await claimed(0), []);
  t.deepEqual(await claimed(toShard), [...before, ...after]);
  t.is(await moveWaitingDeliveries(pool, toShard), 2);
  t.deepEqual(await claimed(toShard), [...before, ...after]);
  t.is(await endMoves(pool, { shard: toShard, destinationIds: [id] }), 1);
  t.deepEqual(await claimed(toShard), [...before, ...after]);
});

test('a delivery of a transaction older than the move keeps its place', async (t) => {
  const { pool, anotherPool, claimed, move, toShard, id } = await movingStage(t);
  const [first] = await accepted(pool, [anItem()]);
  const older = await anotherPool(1).connect();
  await older.query('begin isolation level repeatable read');
  await older.query('select from destinations');
  await move();
  const { rows } = await older.query<{ id: number }>('select id from deliveries order by id');
  t.deepEqual(rows, [{ id: first! }]);
  const [seenAt] = await listArrivals(pool, toShard);
  await acceptItems(older as never, [anItem()]);
  t.is(await moveWaitingDeliveries(pool, toShard), 1);
  const [arrival] = await listArrivals(pool, toShard);
  t.true(arrival!.oldestTransactionAt! < seenAt!.seenAt, 'the move must not end yet');
  await older.query('commit');
  older.release();
  const [late] = await accepted(pool, [anItem()]).then((ids) => ids.slice(-1));
  t.deepEqual(await claimed(toShard), [first!, late! - 1, late!]);
  t.is(await endMoves(pool, { shard: toShard, destinationIds: [id] }), 0, 'one waits under the former shard');
  t.is(await moveWaitingDeliveries(pool, toShard), 1);
  t.is(await endMoves(pool, { shard: toShard, destinationIds: [id] }), 1);
});

test('the new pump skips requests of the former one until their settlement', async (t) => {
  const { pool, claimed, move, inFlight, toShard, fence } = await movingStage(t);
  const [sent, behind, other] = await accepted(pool, [anItem(), anItem(), anItem({ conversationKey: 2 })]);
  await move({ inFlight: [inFlight(sent!)] });
  t.deepEqual(await claimed(toShard), [other!]);
  const given = { shard: 0, holder: 'former', fence, overdueMs: 60_000 };
  t.true(await handOver(pool, { ...given, inFlight: [inFlight(sent!)] }));
  t.deepEqual(await claimed(toShard), [other!], 'also after the former pump has given up its shard');
  await pool.query("update deliveries set status = 'delivered' where id = $1", [sent]);
  await endHandOver(pool, { shard: 0, fence, ids: [sent!] });
  t.deepEqual(await claimed(toShard), [behind!, other!]);
});

test('what an earlier pump of the shard sends moves along', async (t) => {
  const { pool, claimed, move, inFlight, toShard, fence } = await movingStage(t);
  const [sent, , other] = await accepted(pool, [anItem(), anItem(), anItem({ conversationKey: 2 })]);
  await handOver(pool, { shard: 0, holder: 'former', fence, overdueMs: 60_000, inFlight: [inFlight(sent!)] });
  const next = (await acquireLease(pool, { shard: 0, holder: 'next' }))!;
  t.is((await move({ fence: next })).length, 1);
  t.deepEqual(await claimed(toShard), [other!]);
});

test('nothing moves without both leases', async (t) => {
  const { db, pool, claimed, move, toShard, fence } = await movingStage(t);
  const ids = await accepted(pool, [anItem()]);
  t.deepEqual(await move({ fence: fence + 1 }), []);
  await db('shard_leases')
    .where({ shard: toShard })
    .update({ expires_at: new Date(0) });
  t.deepEqual(await listMoves(pool, 0), []);
  t.deepEqual(await move(), []);
  await acquireLease(pool, { shard: toShard, holder: 'new' });
  await db('shard_leases')
    .where({ shard: 0 })
    .update({ expires_at: new Date(0) });
  t.deepEqual(await move(), []);
  t.deepEqual(await claimed(0), ids);
  t.deepEqual(await db('handed_over_deliveries').select(), []);
});

test('a destination that is being edited moves later', async (t) => {
  const { db, id, move } = await movingStage(t);
  await db.transaction(async (trx) => {
    await trx('destinations').where({ id }).forNoKeyUpdate();
    t.deepEqual(await move(), []);
  });
  t.deepEqual(await move(), [id]);
  t.deepEqual(await move(), []);
});

test('a replaced destination keeps its deliveries while it moves', async (t) => {
  const { db, pool, id, move, claimed, toShard } = await movingStage(t);
  const ids = await accepted(pool, [anItem()]);
  await move();
  const fresh = await db.transaction((trx) => applyPending(trx, { destinationId: id, pending: 'keep' }));
  t.deepEqual(await claimed(toShard), ids);
  const { rows } = await db.raw('select mod(hashint8(?)::bigint & 2147483647, 16)::int as shard', [fresh]);
  t.like(await db('destinations').where({ id: fresh }).first(), { shard: rows[0].shard });
});

test('parked and retrying deliveries move, and ended ones stay', async (t) => {
  const { db, pool, move, toShard } = await movingStage(t);
  const [retrying, parked, ended] = await accepted(pool, [anItem(), anItem(), anItem()]);
  const soon = new Date(Date.now() + 60_000);
  await db('deliveries').where({ id: retrying! }).update({ status: 'retrying', next_attempt_at: soon });
  await db('deliveries').where({ id: parked! }).update({ next_attempt_at: soon });
  await db('deliveries').where({ id: ended! }).update({ status: 'delivered' });
  const changes = await db('deliveries').orderBy('id').pluck('xid');
  await move();
  t.is(await moveWaitingDeliveries(pool, toShard), 2);
  t.deepEqual(await db('deliveries').orderBy('id').pluck('shard'), [toShard, toShard, 0]);
  t.deepEqual(await db('deliveries').orderBy('id').pluck('xid'), changes, 'the stream shows no change');
});

test('a pending delivery whose destination has left its shard is found', async (t) => {
  const { db, pool, claimed, toShard, id } = await movingStage(t);
  const ids = await accepted(pool, [anItem()]);
  await db('destinations').where({ id }).update({ shard: toShard });
  t.deepEqual([await claimed(0), await claimed(toShard)], [[], []]);
  t.is(await adoptStrays(pool, 0), 1);
  t.is(await adoptStrays(pool, 0), 0);
  t.deepEqual(await claimed(toShard), ids);
});

test('a change ends when all destinations and deliveries are in their shards', async (t) => {
  const { db, pool, move, toShard, id } = await movingStage(t);
  await accepted(pool, [anItem()]);
  t.false(await finishResharding(pool, 16), 'a destination has to move');
  await move();
  t.false(await finishResharding(pool, 16), 'a destination moves');
  await moveWaitingDeliveries(pool, toShard);
  await endMoves(pool, { shard: toShard, destinationIds: [id] });
  t.false(await finishResharding(pool, 3), 'the target has changed');
  t.true(await finishResharding(pool, 16));
  t.like(await db('installation').first(), { delivery_shards: 16, target_shards: null });
});

test('shards with waiting deliveries are not retired', async (t) => {
  const { db, pool, id } = await movingStage(t);
  await setTargetShards(db, 1);
  const [waiting] = await accepted(pool, [anItem()]);
  await db('deliveries').where({ id: waiting! }).update({ shard: 7 });
  t.like(await db('destinations').where({ id }).first(), { shard: 0 });
  t.false(await finishResharding(pool, 1));
  await db('deliveries').where({ id: waiting! }).update({ shard: 0 });
  t.true(await finishResharding(pool, 1));
});
