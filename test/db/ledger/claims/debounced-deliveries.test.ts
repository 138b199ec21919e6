import test, { type ExecutionContext } from 'ava';
import { MAX_BATCH_BYTES } from '../../../../contract/deliveries/batch.ts';
import { allShards } from '../../../../contract/deliveries/shards.ts';
import type { Debounce } from '../../../../contract/destinations/options.ts';
import { claimDebounced, type DebouncedRequest } from '../../../../db/ledger/claims/debounced-deliveries.ts';
import type { AcceptItem } from '../../../../db/ledger/accept.ts';
import { passWindows, setDebounce } from '../../../harness/deliveries/debounced.ts';
import { aChannel } from '../../../harness/tenants.ts';
import { accepted, anItem, aWebhookDestination, hotLedger } from '../../../harness/deliveries/hot-ledger.ts';
import { openCircuitRow } from '../../../harness/deliveries/failing-ledger.ts';

async function stage(t: ExecutionContext, debounce: Debounce = { seconds: 60 }) {
  const ledger = await hotLedger(t);
  const destination = await aWebhookDestination(ledger, ledger.channel);
  await setDebounce({ ...ledger, destination }, debounce);
  const { id, shard } = destination;
  const find = async (request: Partial<DebouncedRequest> & { busyKeys?: number[]; room?: number } = {}) => {
    const { busyKeys = [], room = 10, ...rest } = request;
    const destinations = [{ id, room, busyKeys }];
    return await claimDebounced(ledger.pool, { shards: [shard], heldIds: [], destinations, maxRows: 100, ...rest });
  };
  const groups = async (request: Parameters<typeof find>[0] = {}) =>
    (await find(request)).deliveries.map(({ id: first, following = [] }) => [first, ...following.map((one) => one.id)]);
  const accept = (items: readonly Partial<AcceptItem>[]) => accepted(ledger.pool, items.map(anItem));
  const hold = async (deliveryId: number, conversationKey = 1) =>
    ledger.db('conversation_holds').insert({
      channel_id: ledger.channel.id,
      destination_id: id,
      conversation_key: conversationKey,
      delivery_id: deliveryId,
      until_at: new Date(Date.now() + 600_000),
    });
  return { ...ledger, destination, find, groups, accept, hold };
}

test('a conversation is due when its oldest delivery has waited', async (t) => {
  const { db, accept, find, groups } = await stage(t);
  const [first, other, last] = await accept([{}, { conversationKey: 2 }, {}]);
  const none = await find();
  t.deepEqual(none.deliveries, []);
  t.like(none.destinations[0], { isWaiting: true, isCut: false });
  const { nextInMs } = none.destinations[0]!;
  t.true(nextInMs! > 0 && nextInMs! <= 60_000);
  await db('deliveries')
    .where({ id: first })
    .update({ created_at: new Date(0) });
  t.deepEqual(await groups(), [[first, last]]);
  t.not(other, undefined);
});

test('events or bytes that fill a request make it due', async (t) => {
  const { accept, groups, find } = await stage(t, { seconds: 60, maxEvents: 3 });
  const body = Buffer.alloc(MAX_BATCH_BYTES / 2 + 1, '1');
  const [big, bigger] = await accept([
    { conversationKey: 2, body },
    { conversationKey: 2, body },
  ]);
  t.deepEqual(await groups(), [[big]], 'the second one does not fit');
  const [first, second, third, fourth] = await accept([{}, {}, {}, {}]);
  t.deepEqual(await groups(), [[big], [first, second, third]]);
  t.true((await find({ room: 1 })).destinations[0]!.isCut);
  t.deepEqual(await groups({ room: 1 }), [[big]]);
  t.deepEqual(await groups({ maxRows: 1 }), [[big]]);
  t.deepEqual(await groups({ heldIds: [big!], busyKeys: [2] }), [[first, second, third]]);
  t.true(bigger !== undefined && fourth !== undefined);
});

test('a request that failed twice is halved after each failure', async (t) => {
  const ledger = await stage(t);
  const [a, b, c, d, e] = await ledger.accept([{}, {}, {}, {}, {}]);
  await passWindows(ledger);
  const groupsAfter = async (failures: readonly number[]) => {
    for (const [index, count] of failures.entries())
      await ledger
        .db('deliveries')
        .where({ id: [a, b, c, d, e][index] })
        .update({ failed_in_schedule: count });
    return await ledger.groups();
  };
  t.deepEqual(await groupsAfter([1, 1, 1, 1, 0]), [[a, b, c, d, e]]);
  t.deepEqual(await groupsAfter([2, 2, 2, 2, 0]), [[a, b]]);
  t.deepEqual(await groupsAfter([3, 3, 2, 2, 0]), [[a]]);
  t.deepEqual(await groupsAfter([4, 3, 2, 2, 0]), [[a]]);
  t.deepEqual(await groupsAfter([2, 2, 2, 0, 0]), [[a, b]]);
});

test('at most eight MiB are read, and whole requests', async (t) => {
  const ledger = await stage(t);
  const body = Buffer.alloc(3 * 1024 * 1024, '1');
  const ids = await ledger.accept([1, 2, 3, 4].map((conversationKey) => ({ conversationKey, body })));
  await passWindows(ledger);
  const { deliveries, destinations } = await ledger.find();
  t.deepEqual([deliveries.map(({ id }) => id), destinations[0]!.isCut], [ids.slice(0, 3), true]);
});

test('a backlog takes no rows from another destination', async (t) => {
  const ledger = await stage(t);
  const { db, pool, accept, destination } = ledger;
  const resourceId = 'res-2';
  const channel = await aChannel(db, ledger.tenant.workspace, { resourceId });
  const other = await aWebhookDestination(ledger, channel);
  await setDebounce({ db, channel: { ...channel, resourceId }, destination: other }, { seconds: 60 });
  const backlog = await accept(Array.from({ length: 6 }, (_, index) => ({ conversationKey: index + 1 })));
  const [late] = await accepted(pool, [anItem({ resourceId })]);
  await passWindows({ db });
  const sent = async (busy: { readonly room: number; readonly heldCount?: number }, maxRows: number) => {
    const destinations = [
      { id: destination.id, busyKeys: [], ...busy },
      { id: other.id, room: 8, busyKeys: [] },
    ];
    const request = { shards: [destination.shard, other.shard], heldIds: [], destinations, maxRows };
    return (await claimDebounced(pool, request)).deliveries.map(({ id }) => id);
  };
  t.deepEqual(await sent({ room: 0 }, 3), [late], 'deliveries without room');
  t.deepEqual(await sent({ room: 6 }, 3), [backlog[0], backlog[1], late], 'deliveries with room');
  t.deepEqual(await sent({ room: 6, heldCount: 5 }, 1), [late], 'requests in the pump');
});

test('deliveries without a conversation and replays are alone', async (t) => {
  const { db, accept, groups } = await stage(t);
  const ids = await accept([{ conversationKey: 0 }, { conversationKey: 0 }, {}]);
  await db('deliveries').where({ id: ids[2] }).update({ conversation_key: -ids[2]! });
  t.deepEqual(
    await groups(),
    ids.map((id) => [id]),
  );
});

test('a hold or a parked delivery keeps its conversation waiting', async (t) => {
  const { db, accept, find, groups, hold } = await stage(t);
  const [first, second, third, other] = await accept([{}, {}, {}, { conversationKey: 2 }]);
  await passWindows({ db });
  await hold(first!);
  t.deepEqual(await groups(), [[first, second, third], [other]], 'the delivery that holds comes before');
  t.true((await find({ heldIds: [first!, second!, third!, other!] })).destinations[0]!.isWaiting);
  await db('deliveries').where({ id: first }).update({ status: 'retrying', next_attempt_at: new Date() });
  t.deepEqual(await groups(), [[other]]);
  await db('destinations').update({ ordering: 'none' });
  t.deepEqual(await groups(), [[second, third], [other]]);
  await db('destinations').update({ ordering: 'conversation' });
  await db('conversation_holds').delete();
  await db('deliveries')
    .where({ id: second })
    .update({ next_attempt_at: new Date(Date.now() + 600_000) });
  t.deepEqual(await groups(), [[other]]);
});

test('a request in flight keeps its conversation waiting if ordered', async (t) => {
  const { db, accept, groups } = await stage(t);
  const [first, second] = await accept([{}, {}]);
  await passWindows({ db });
  t.deepEqual(await groups({ heldIds: [first!], busyKeys: [1] }), []);
  await db('destinations').update({ ordering: 'none' });
  t.deepEqual(await groups({ heldIds: [first!], busyKeys: [1] }), [[second]]);
});

const withoutResult: Readonly<Record<string, () => object>> = {
  'without debounce': () => ({ options: null }),
  'that is disabled': () => ({ enabled: false }),
  'with an open circuit': () => openCircuitRow({ circuit_probe_at: new Date(Date.now() + 3_600_000) }),
};
for (const [name, changeOf] of Object.entries(withoutResult)) {
  test(`a destination ${name} is left out`, async (t) => {
    const { db, accept, find } = await stage(t);
    await accept([{}]);
    await passWindows({ db });
    await db('destinations').update(changeOf());
    t.like(await find(), { deliveries: [], destinations: [] });
  });
}

test('a destination of another shard is left out', async (t) => {
  const { db, accept, find, groups, destination } = await stage(t);
  const ids = await accept([{}]);
  await passWindows({ db });
  const shards = allShards.filter((shard) => shard !== destination.shard);
  t.like(await find({ shards }), { deliveries: [], destinations: [] });
  t.deepEqual(await groups({ shards: allShards }), [ids]);
});

test('a destination with nothing waiting says so', async (t) => {
  const { find } = await stage(t);
  t.like((await find()).destinations[0], { isWaiting: false, isHidden: false, isCut: false, nextInMs: null });
});

test('each delivery comes with its event and attempts', async (t) => {
  const { db, accept, find, channel } = await stage(t);
  await accept([{ body: Buffer.from('{"a":1}') }, { body: Buffer.from('{"b":2}') }]);
  await passWindows({ db });
  const [request] = (await find()).deliveries;
  t.like(request, { channelId: channel.publicId, attemptCount: 0, options: { debounce: { seconds: 60 } } });
  t.deepEqual(
    [request!, ...request!.following!].map(({ body }) => String(body)),
    ['{"a":1}', '{"b":2}'],
  );
});
