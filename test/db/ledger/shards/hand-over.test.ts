import test, { type ExecutionContext } from 'ava';
import { deleteOverdueHandOvers, endHandOver, handOver, overdueMsOf } from '../../../../db/ledger/shards/hand-over.ts';
import { LEASES_CHANGED } from '../../../../db/ledger/shards/shard-leases.ts';
import { aLease } from '../../../harness/deliveries/a-lease.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  claim,
  hotLedger,
  type HotLedger,
} from '../../../harness/deliveries/hot-ledger.ts';
import { notificationsOf } from '../../../harness/deliveries/pump-deps.ts';
import { eventually } from '../../../harness/eventually.ts';
import { pluck } from '../../../harness/pluck.ts';
import { aChannel } from '../../../harness/tenants.ts';

const HOLDER = 'host/1/a';
const HOUR_MS = 3_600_000;

const byNumber = (one: number, other: number): number => one - other;

/** Destinations of different shards, each with a lease of one worker and three deliveries of one conversation. */
async function handOverStage(t: ExecutionContext, destinations = 3) {
  const ledger = await hotLedger(t);
  const { pool, db } = ledger;
  const shards: Awaited<ReturnType<typeof aServedDestination>>[] = [];
  for (let index = 0; index < destinations; index++) shards.push(await aServedDestination(ledger, index));
  const give = (given: readonly (typeof shards)[number][]) =>
    handOver(pool, {
      holder: HOLDER,
      leases: given.map(({ lease }) => lease),
      inFlight: given.map(({ id, ids, shard }) => ({ id: ids[0], shard, destinationId: id, conversationKey: 1 })),
      overdueMs: HOUR_MS,
    });
  const published = async () =>
    await db('handed_over_deliveries').orderBy('delivery_id').select('delivery_id as id', 'shard', 'fence');
  const claimedIds = async () => pluck((await claim(pool)).deliveries, 'id');
  return { ...ledger, shards, give, published, claimedIds };
}

async function aServedDestination(ledger: HotLedger, index: number) {
  const { pool, db, tenant } = ledger;
  const resourceId = `served-${index}`;
  const destination = await aWebhookDestination(ledger, await aChannel(db, tenant.workspace, { resourceId }));
  for (let count = 0; count < index; count++) await aLease(pool, destination.shard, HOLDER);
  const lease = await aLease(pool, destination.shard, HOLDER);
  const ids = await accepted(
    pool,
    Array.from({ length: 3 }, () => anItem({ resourceId })),
  );
  return { ...destination, lease, ids: ids as [number, number, number] };
}

test('a hand-over publishes what is in flight in held shards only', async (t) => {
  const { db, pool, shards, give, published } = await handOverStage(t, 4);
  const [first, lost, second, kept] = shards as [(typeof shards)[0], (typeof shards)[0], (typeof shards)[0], (typeof shards)[0]]; // prettier-ignore
  await db('workers').where({ holder: HOLDER }).delete();
  const taken = await aLease(pool, lost.shard, 'host/2/b');
  t.is(taken.fence, lost.lease.fence + 1);
  await give([first, lost, second]);
  t.deepEqual(await published(), [
    { id: first.ids[0], shard: first.shard, fence: first.lease.fence },
    { id: second.ids[0], shard: second.shard, fence: second.lease.fence },
  ]);
  t.not(first.lease.fence, second.lease.fence);
  const holders = await db('shard_leases').select<{ shard: number; holder: string }[]>('shard', 'holder');
  t.deepEqual(Object.fromEntries(holders.map(({ shard, holder }) => [shard, holder])), {
    [first.shard]: '',
    [lost.shard]: 'host/2/b',
    [second.shard]: '',
    [kept.shard]: HOLDER,
  });
});

test('deliveries in flight in other shards are not published', async (t) => {
  const { pool, shards, published } = await handOverStage(t, 2);
  const [given, other] = shards as [(typeof shards)[0], (typeof shards)[0]];
  const inFlight = [given, other].map(({ id, ids, shard }) => ({ id: ids[0], shard, destinationId: id, conversationKey: 1 })); // prettier-ignore
  await handOver(pool, { holder: HOLDER, leases: [given.lease], inFlight, overdueMs: HOUR_MS });
  t.deepEqual(pluck(await published(), 'id'), [given.ids[0]]);
});

test('a handed-over delivery is claimed only once its hand-over ends', async (t) => {
  const { db, shards, give, claimedIds, pool } = await handOverStage(t, 2);
  const [first, second] = shards as [(typeof shards)[0], (typeof shards)[0]];
  await db('destinations').where({ id: second.id }).update({ ordering: 'none' });
  await give([first, second]);
  t.deepEqual(await claimedIds(), second.ids.slice(1), 'an ordered destination waits for its conversation');
  await endHandOver(pool, [{ id: first.ids[0], ...first.lease }]);
  t.deepEqual(await claimedIds(), [...first.ids, ...second.ids.slice(1)]);
  await endHandOver(pool, [{ id: second.ids[0], ...second.lease }]);
  t.deepEqual(await claimedIds(), [...first.ids, ...second.ids]);
});

test('an overdue hand-over delays no claim and is deleted later', async (t) => {
  const { db, pool, shards, give, claimedIds } = await handOverStage(t, 1);
  await give(shards);
  await db.raw("update handed_over_deliveries set until_at = now() - interval '1 second'");
  t.deepEqual(await claimedIds(), shards[0]!.ids);
  t.is(await deleteOverdueHandOvers(pool), 0);
  await db.raw("update handed_over_deliveries set until_at = now() - interval '2 minutes'");
  t.is(await deleteOverdueHandOvers(pool), 1);
});

test('a hand-over ends under its own fence only', async (t) => {
  const { pool, shards, give, published } = await handOverStage(t, 2);
  const [first, second] = shards as [(typeof shards)[0], (typeof shards)[0]];
  await give(shards);
  const all = await published();
  const wrong = { ...first.lease, fence: first.lease.fence + 1 };
  await endHandOver(pool, [
    { id: first.ids[0], ...wrong },
    { id: second.ids[0], ...first.lease },
    { id: second.ids[1], ...second.lease },
  ]);
  t.deepEqual(await published(), all);
  await endHandOver(pool, []);
  await endHandOver(
    pool,
    [first, second].map(({ ids, lease }) => ({ id: ids[0], ...lease })),
  );
  t.deepEqual(await published(), []);
});

test('a delivery that is handed over again has the later fence', async (t) => {
  const { pool, shards, give, published } = await handOverStage(t, 1);
  await give(shards);
  const [first] = shards;
  const lease = await aLease(pool, first!.shard, HOLDER);
  await give([{ ...first!, lease }]);
  t.deepEqual(await published(), [{ id: first!.ids[0], ...lease }]);
});

test('a hand-over and its end notify once for all shards', async (t) => {
  const stage = await handOverStage(t, 2);
  const { pool, shards, give } = stage;
  const heard: (readonly number[])[] = [];
  notificationsOf(t, stage).subscribe((woken) => heard.push(woken));
  await eventually(() => heard.length === 1);
  heard.length = 0;
  await give([]);
  await give(shards);
  await give(shards); // they are released
  await endHandOver(pool, []);
  await endHandOver(
    pool,
    shards.map(({ ids, lease }) => ({ id: ids[0], ...lease })),
  );
  await eventually(() => heard.length === 2);
  t.deepEqual(
    heard.map((each) => each.toSorted(byNumber)),
    [[LEASES_CHANGED], shards.map(({ shard }) => shard).toSorted(byNumber)],
  );
});

test('a hand-over lasts as long as the slowest request and its settlement', (t) => {
  const row = { id: 1, shard: 1, destinationId: 1, conversationKey: 1 };
  t.is(overdueMsOf([], 20_000), 20_000);
  t.is(overdueMsOf([row, { ...row, options: { timeoutSeconds: 60 } }], 20_000), 70_000);
  t.is(overdueMsOf([{ ...row, options: { timeoutSeconds: 5 } }], 20_000), 20_000);
});
