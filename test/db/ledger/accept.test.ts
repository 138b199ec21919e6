import test from 'ava';
import { acceptItems, type AcceptItem } from '../../../db/ledger/accept.ts';
import { disableForwarding, disconnectChannel } from '../../../db/channels/channels.ts';
import { deleteDestination } from '../../../db/ledger/destinations/destinations.ts';
import { MAX_BEFORE } from '../../../db/ledger/offers/delivery-offer.ts';
import { testAudit } from '../../harness/audit.ts';
import { openCircuitRow } from '../../harness/deliveries/failing-ledger.ts';
import {
  acceptedItems,
  anItem,
  aSubscriptionDestination,
  aWebhookDestination,
  claim,
  deliveryRows,
  hotLedger,
  items,
  keyOf,
  untilBlockedByLock,
  type HotLedger,
} from '../../harness/deliveries/hot-ledger.ts';
import { pluck } from '../../harness/pluck.ts';
import { aChannel } from '../../harness/tenants.ts';

async function countOf({ pool }: HotLedger, table: 'events' | 'event_keys' | 'unrouted_events'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*) from ${table}`);
  return rows[0]!.count;
}

test('a commit writes the key, the event and a pending delivery', async (t) => {
  const ledger = await hotLedger(t);
  const { id, shard } = await aWebhookDestination(ledger, ledger.channel);
  const item = anItem({ conversationKey: 2 ** 47 });

  const { offers, ...accepted } = await acceptItems(ledger.pool, [item]);
  t.deepEqual(accepted, { eventCount: 1, deliveryCount: 1, unroutedCount: 0 });
  t.deepEqual(pluck(offers, 'shard'), [shard]);
  const { rows: events } = await ledger.pool.query('select * from events');
  t.like(events[0], {
    channel_id: ledger.channel.id,
    workspace_id: ledger.tenant.workspace.id,
    event_type: 'chatapp.message.received',
    conversation_key: 2 ** 47,
    sender: item.sender,
    platform_message_id: item.platformMessageId,
  });
  const expected = { event_id: events[0].id, destination_id: id, shard, status: 'pending', skip_reason: null };
  t.like((await deliveryRows(ledger.pool))[0], { ...expected, conversation_key: 2 ** 47, attempt_count: 0 });
  t.is(await countOf(ledger, 'event_keys'), 1);
});

test('a channel without destinations gets one skipped delivery with the reason', async (t) => {
  const ledger = await hotLedger(t);
  await acceptItems(ledger.pool, [anItem()]);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  await deleteDestination(ledger.db, id);
  await acceptItems(ledger.pool, [anItem()]);
  const skipped = { status: 'skipped', skip_reason: 'no_destination', destination_id: null };
  t.like(await deliveryRows(ledger.pool), { 0: skipped, 1: skipped, length: 2 });
});

test('disabled forwarding skips every destination and precedes other reasons', async (t) => {
  const ledger = await hotLedger(t);
  const other = await aChannel(ledger.db, ledger.tenant.workspace, { resourceId: 'res-2' });
  await aWebhookDestination(ledger, ledger.channel);
  for (const { id, publicId } of [ledger.channel, other]) {
    await disableForwarding(ledger.db, { id, publicId, audit: testAudit });
  }
  await acceptItems(ledger.pool, [anItem(), anItem({ resourceId: 'res-2' })]);
  const skipped = { status: 'skipped', skip_reason: 'forwarding_disabled' };
  t.like(await deliveryRows(ledger.pool), { 0: skipped, 1: skipped, length: 2 });
});

test('a disabled destination is skipped without affecting others', async (t) => {
  const ledger = await hotLedger(t);
  const webhook = await aWebhookDestination(ledger, ledger.channel);
  const subscription = await aSubscriptionDestination(ledger, ledger.channel, ['chatapp.message.received']);
  await ledger.db('destinations').where({ id: webhook.id }).update({ enabled: false, disabled_reason: 'gone' });
  await acceptItems(ledger.pool, [anItem()]);
  const rows = await deliveryRows(ledger.pool);
  t.like(rows[0], { destination_id: webhook.id, status: 'skipped', skip_reason: 'destination_disabled' });
  t.like(rows[1], { destination_id: subscription, status: 'pending', skip_reason: null });
});

test('a subscription receives only its event types, a webhook all', async (t) => {
  const ledger = await hotLedger(t);
  const webhook = await aWebhookDestination(ledger, ledger.channel);
  const messages = await aSubscriptionDestination(ledger, ledger.channel, ['chatapp.message.received']);
  const both = await aSubscriptionDestination(ledger, ledger.channel, [
    'chatapp.message.received',
    'chatapp.message.status',
  ]);
  await acceptItems(ledger.pool, [
    anItem(),
    anItem({ eventType: 'chatapp.message.status' }),
    anItem({ eventType: 'chatapp.other.received' }),
  ]);
  const byEvent = Map.groupBy(await deliveryRows(ledger.pool), ({ event_id }) => event_id);
  t.deepEqual(
    [...byEvent.values()].map((rows) => rows.map(({ destination_id }) => destination_id)),
    [[webhook.id, messages, both], [webhook.id, both], [webhook.id]],
  );
});

test('a repeated item is accepted once', async (t) => {
  const ledger = await hotLedger(t);
  await aWebhookDestination(ledger, ledger.channel);
  const item = anItem();
  await acceptItems(ledger.pool, [item]);
  const { offers, ...accepted } = await acceptItems(ledger.pool, [item, anItem({ body: Buffer.from('new') })]);
  t.deepEqual(accepted, { eventCount: 1, deliveryCount: 1, unroutedCount: 0 });
  t.deepEqual(pluck(offers, 'body'), [Buffer.from('new')]);
  t.is((await deliveryRows(ledger.pool)).length, 2);
});

test('the same platform id in two channels creates two events', async (t) => {
  const ledger = await hotLedger(t);
  await aChannel(ledger.db, ledger.tenant.workspace, { resourceId: 'res-2' });
  const key = keyOf('same');
  await acceptItems(ledger.pool, [anItem({ key }), anItem({ key, resourceId: 'res-2' })]);
  t.is(await countOf(ledger, 'events'), 2);
});

test('concurrent batches in opposite order store each item once', async (t) => {
  const ledger = await hotLedger(t);
  await aWebhookDestination(ledger, ledger.channel);
  const pools = [ledger.pool, ledger.anotherPool()];
  const rounds = Array.from({ length: 20 }, () => Array.from({ length: 50 }, () => anItem()));
  const counts = await Promise.all(
    rounds.flatMap((items) =>
      pools.map((pool, index) => acceptItems(pool, index === 0 ? items : [...items].reverse())),
    ),
  );
  t.is(
    counts.reduce((sum, { eventCount }) => sum + eventCount, 0),
    1_000,
  );
  t.is(await countOf(ledger, 'events'), 1_000);
  t.is((await deliveryRows(ledger.pool)).length, 1_000);
});

test('a duplicate waits for the first and replaces it on failure', async (t) => {
  const ledger = await hotLedger(t);
  for (const end of ['commit', 'rollback'] as const) {
    const item = anItem();
    const first = await ledger.pool.connect();
    await first.query('begin');
    await first.query('insert into event_keys (channel_id, key) values ($1, $2)', [ledger.channel.id, item.key]);
    let answered = false;
    const second = acceptItems(ledger.anotherPool(), [item]).finally(() => (answered = true));
    await untilBlockedByLock(ledger.db);
    t.false(answered);
    await first.query(end);
    first.release();
    t.is((await second).eventCount, end === 'commit' ? 0 : 1);
  }
});

test('an unrouted item is kept once and is no later duplicate', async (t) => {
  const ledger = await hotLedger(t);
  const item = anItem({ resourceId: 'res-9' });
  const unrouted = { eventCount: 0, deliveryCount: 0, unroutedCount: 1, offers: [] };
  t.deepEqual(await acceptItems(ledger.pool, [item]), unrouted);
  t.is((await acceptItems(ledger.pool, [item])).unroutedCount, 0);
  t.is(await countOf(ledger, 'unrouted_events'), 1);
  await aChannel(ledger.db, ledger.tenant.workspace, { resourceId: 'res-9' });
  t.is((await acceptItems(ledger.pool, [item])).eventCount, 1);
});

test('an unrouted item keeps its own body beside routed ones', async (t) => {
  const ledger = await hotLedger(t);
  const first = anItem();
  const unrouted = anItem({ resourceId: 'res-9', body: Buffer.from('unrouted') });
  const last = anItem();
  const counts = await acceptItems(ledger.pool, [first, unrouted, last]);
  t.like(counts, { eventCount: 2, unroutedCount: 1 });
  const { rows } = await ledger.pool.query<{ body: Buffer }>('select body from unrouted_events');
  t.deepEqual(
    rows.map(({ body }) => body.toString()),
    ['unrouted'],
  );
});

test('an envelope of an unknown product or account is kept', async (t) => {
  const ledger = await hotLedger(t);
  const nothing = { channelType: null, resourceId: null, eventType: null };
  const counts = await acceptItems(ledger.pool, [anItem(nothing), anItem(nothing), anItem({ resourceId: null })]);
  t.is(counts.unroutedCount, 3);
  const { rows } = await ledger.pool.query('select type, resource_id from unrouted_events order by id');
  t.deepEqual(rows.map(({ type }) => type).sort(), ['', '', 'chatapp']);
});

test('a reconnected channel is a new channel', async (t) => {
  const ledger = await hotLedger(t);
  const item = anItem();
  await acceptItems(ledger.pool, [item]);
  await disconnectChannel(ledger.db, { ...ledger.channel, audit: testAudit });
  t.is((await acceptItems(ledger.pool, [anItem()])).unroutedCount, 1);
  const again = await aChannel(ledger.db, ledger.tenant.workspace, { resourceId: 'res-1' });
  t.is((await acceptItems(ledger.pool, [item])).eventCount, 1);
  const { rows } = await ledger.pool.query('select channel_id from events order by id desc limit 1');
  t.is(rows[0].channel_id, again.id);
});

test('events and deliveries get ids in order of arrival', async (t) => {
  const ledger = await hotLedger(t);
  await aWebhookDestination(ledger, ledger.channel);
  await aSubscriptionDestination(ledger, ledger.channel, ['chatapp.message.received']);
  const items = Array.from({ length: 200 }, () => anItem());
  await acceptItems(ledger.pool, items);
  const { rows } = await ledger.pool.query<{ body: Buffer }>(
    'select e.body from deliveries d join events e on e.id = d.event_id order by d.id',
  );
  t.deepEqual(
    rows.map(({ body }) => body.toString()),
    items.flatMap(({ body }) => [Buffer.from(body).toString(), Buffer.from(body).toString()]),
  );
});

test('bodies are stored byte for byte', async (t) => {
  const ledger = await hotLedger(t);
  const bodies = [
    Buffer.from('{"text":"👋🏽 é \\ud83d\\ude00 \\u0000 \\\\ \\/"}'),
    Buffer.alloc(0),
    Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x00, 0x5c, 0x78]),
    Buffer.from('{"id":12345678901234567890,"id":1.0e+2,"z":-0.0}\r\n\t '),
    Buffer.alloc(300_000, '\\x41é'),
  ];
  await acceptItems(
    ledger.pool,
    bodies.map((body) => anItem({ body })),
  );
  const { rows } = await ledger.pool.query<{ body: Buffer }>('select body from events order by id');
  for (const [index, body] of bodies.entries()) t.deepEqual(rows[index]!.body, body, `body ${index}`);
});

test('a commit offers its pending deliveries', async (t) => {
  const ledger = await hotLedger(t);
  const { id, shard } = await aWebhookDestination(ledger, ledger.channel);
  await aChannel(ledger.db, ledger.tenant.workspace, { resourceId: 'res-2' });
  const sampled = { traceParent: '00-1-2-01', eventFlags: 'echo', conversationKey: 8, body: Buffer.from('second') };
  const items = [anItem({ resourceId: 'unknown' }), anItem(), anItem({ resourceId: 'res-2' }), anItem(sampled)];
  const { offers } = await acceptItems(ledger.pool, items);
  const { deliveries, destinations } = await claim(ledger.pool);
  t.deepEqual(
    offers.map((offer) => [offer.id, offer.eventId, offer.acceptedAtMs]),
    deliveries.map((delivery) => [delivery.id, delivery.eventId, delivery.acceptedAtMs]),
  );
  const { version: destinationVersion } = destinations.get(id)!;
  t.like(offers, {
    0: { destinationId: id, shard, destinationVersion, conversationKey: 1, body: items[1]!.body, before: [] },
    1: { ...sampled, eventType: 'chatapp.message.received', destinationVersion, bodyKeyId: null },
    length: 2,
  });
});

test('an offer names the deliveries of its conversation that have not ended', async (t) => {
  const ledger = await hotLedger(t);
  const destination = await aWebhookDestination(ledger, ledger.channel);
  const [retrying, parked, pending, ended] = await acceptedItems(ledger.pool, 4);
  const [other] = await acceptedItems(ledger.pool, 1, () => 2);
  await ledger
    .db('deliveries')
    .where({ id: retrying })
    .update({ status: 'retrying', next_attempt_at: ledger.db.fn.now() });
  await ledger.db('deliveries').where({ id: parked }).update({ next_attempt_at: ledger.db.fn.now() });
  await ledger.db('deliveries').where({ id: ended }).update({ status: 'delivered' });
  const beforeOf = async (item: AcceptItem) => {
    const { offers } = await acceptItems(ledger.pool, [item]);
    return offers.map(({ before }) => before.toSorted());
  };
  t.deepEqual(await beforeOf(anItem({ conversationKey: 2 })), [[other!]]);
  t.deepEqual(await beforeOf(anItem()), [[retrying!, parked!, pending!]]);
  await acceptItems(ledger.pool, items(3));
  t.is((await beforeOf(anItem()))[0]!.length, MAX_BEFORE);
  await ledger.db('destinations').where({ id: destination.id }).update({ ordering: 'none' });
  t.deepEqual(await beforeOf(anItem()), [[]]);
});

test('an offer of a destination with an open circuit has no version', async (t) => {
  const ledger = await hotLedger(t);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  await ledger.db('destinations').where({ id }).update(openCircuitRow());
  const { offers } = await acceptItems(ledger.pool, [anItem()]);
  t.deepEqual(pluck(offers, 'destinationVersion'), [null]);
});

test('a change of a destination or its channel changes the version', async (t) => {
  const ledger = await hotLedger(t);
  const { id } = await aWebhookDestination(ledger, ledger.channel);
  const versionNow = async () => (await acceptItems(ledger.pool, [anItem()])).offers[0]!.destinationVersion;
  const versions = [await versionNow()];
  await ledger.db('destinations').where({ id }).update({ updated_at: ledger.db.fn.now() });
  versions.push(await versionNow());
  await ledger.db('channels').where({ id: ledger.channel.id }).update({ updated_at: ledger.db.fn.now() });
  versions.push(await versionNow());
  t.is(new Set(versions).size, 3);
});
