import { hash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { NextTurn } from '../../../api/requests/loop-turns.ts';
import { batchIdOf } from '../../../contract/deliveries/batch.ts';
import { sequencedId } from '../../../contract/ids.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { bodyContexts } from '../../../db/core/body-contexts.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { aPortal } from '../../harness/access/portals.ts';
import { sealingBox } from '../../harness/database/sealed-bodies.ts';
import { aDestination, aLedgerDelivery, type LedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aSentBatch } from '../../harness/deliveries/sent-attempts.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const textOf = (text: string): string =>
  JSON.stringify({ entry: [{ messages: [{ type: 'text', text: { body: text } }] }] });

async function searchStage(t: ExecutionContext, nextTurn?: NextTurn) {
  const { db, call, refused, tenant, channel, destinationId, at } = await webhookStage(t, {
    bodyBox: sealingBox,
    ...(nextTurn && { nextTurn }),
  });
  const list = async (query: Readonly<Record<string, string>>, as: object = at) =>
    (await call(`GET /deliveries?${new URLSearchParams(query)}`, as)).body;
  const find = async (query: Readonly<Record<string, string>>, as: object = at): Promise<string[]> =>
    (await list(query, as)).deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  const deliver = (delivery: LedgerDelivery = {}) => aLedgerDelivery(db, channel, { destinationId, ...delivery });
  const { idKey } = await readInstallation(db);
  const eventOf = async (id: number): Promise<number> =>
    (await db('deliveries').where({ id }).first('event_id')).event_id;
  return { db, call, refused, tenant, channel, destinationId, at, list, find, deliver, idKey, eventOf };
}

test('one field finds a delivery by each of its ids', async (t) => {
  const { db, channel, find, list, deliver, idKey, eventOf } = await searchStage(t);
  const one = await deliver({ body: textOf('one') });
  const two = await deliver({ body: textOf('two') });
  const event = await eventOf(two.id);
  const trace = 'a'.repeat(32);
  await db('events')
    .where({ id: event })
    .update({
      sender: '4917',
      platform_message_id: 'wamid.2',
      trace_parent: `00-${trace}-${'b'.repeat(16)}-01`,
    });
  t.deepEqual(await find({ search: two.publicId }), [two.publicId]);
  t.deepEqual(await find({ search: ` delivery/${one.publicId} ` }), [one.publicId]);
  t.deepEqual(await find({ search: sequencedId(idKey, 'event', event) }), [two.publicId]);
  t.deepEqual(await find({ search: '4917' }), [two.publicId]);
  t.deepEqual(await find({ search: 'wamid.2' }), [two.publicId]);
  t.deepEqual(await find({ search: trace }), [two.publicId]);
  t.deepEqual(await find({ search: channel.publicId }), [two.publicId, one.publicId]);
  t.deepEqual(await find({ search: 'ch_00000000' }), []);
  t.deepEqual(await find({ search: 'rpl_00000000' }), []);
  t.deepEqual((await list({ search: 'wamid.2' })).search, {
    by: 'platform_id',
    scannedCount: 0,
    scannedBackTo: null,
    isComplete: true,
  });
});

test('one field finds the deliveries of a request and of a subscription', async (t) => {
  const { db, channel, find, deliver, idKey } = await searchStage(t);
  const subscribed = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id: subscribed });
  const one = await deliver();
  const two = await deliver();
  const three = await deliver({ destinationId: subscribed });
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await aSentBatch(db, { deliveryIds: [one.id, two.id], url: 'https://receiver.example.com/', secret });
  const batchId = batchIdOf(
    [one.id, two.id].map((id) => sequencedId(idKey, 'delivery', id)),
    (text) => hash('sha256', text, 'hex'),
  );
  t.deepEqual(await find({ search: batchId }), [two.publicId, one.publicId]);
  t.deepEqual(await find({ search: 'sub_00000001' }), [three.publicId]);
  t.deepEqual(await find({ search: 'sub_00000001', destination: 'webhook' }), []);
});

test('a text is found in encrypted bodies within the other filters', async (t) => {
  const { db, channel, list, find, deliver } = await searchStage(t);
  const sealed = await deliver();
  const { resource_id: resourceId } = await db('channels').where({ id: channel.id }).first('resource_id');
  const place = { channelType: 'chatapp', resourceId, eventType: 'chatapp.message.received' };
  const context = bodyContexts.event({ ...place, conversationKey: 1 });
  const plain = Buffer.from(textOf('Where is my Parcel?'));
  await db('events')
    .whereIn('id', db('deliveries').select('event_id').where({ id: sealed.id }))
    .update({
      body: sealingBox.seal(plain, context),
      body_key_id: sealingBox.activeKeyId,
    });
  const clear = await deliver({ body: textOf('parcel'), status: 'delivered' });
  await deliver({ body: textOf('something else') });
  t.deepEqual(await find({ search: 'PARCEL' }), [clear.publicId, sealed.publicId]);
  t.deepEqual(await find({ search: 'parcel', status: 'pending' }), [sealed.publicId]);
  const page = await list({ search: 'parcel', limit: '1' });
  t.like(page.search, { by: 'scan', isComplete: true, scannedCount: 3 });
  t.deepEqual(await find({ search: 'parcel', limit: '1', cursor: page.nextCursor }), [sealed.publicId]);
  t.deepEqual(await find({ search: 'no such text' }), []);
});

test('a search for text stops and says where', async (t) => {
  const { db, channel, list, deliver, destinationId } = await searchStage(t);
  const old = await deliver({ body: textOf('needle') });
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
     select d.event_id + 1, d.channel_id, d.workspace_id, :destinationId, d.shard, n, d.event_type, 'delivered'
     from deliveries d, generate_series(1, 2100) n where d.id = :id`,
    { id: old.id, destinationId },
  );
  await db('events').insert({
    channel_id: channel.id,
    workspace_id: (await db('channels').where({ id: channel.id }).first()).workspace_id,
    event_type: 'chatapp.message.received',
    conversation_key: 1,
    body: textOf('hay'),
  });
  const first = await list({ search: 'needle' });
  t.deepEqual(first.deliveries, []);
  t.like(first.search, { by: 'scan', scannedCount: 2_000, isComplete: false });
  t.not(first.search.scannedBackTo, null);
  const second = await list({ search: 'needle', cursor: first.nextCursor });
  t.is(second.deliveries[0].deliveryId, old.publicId);
  t.is(second.nextCursor, null);
  t.true(second.search.isComplete);
});

test('a search for text reads few bytes, in slices', async (t) => {
  let turns = 0;
  const { find, list, deliver } = await searchStage(t, () => Promise.resolve(void turns++));
  const old = await deliver({ body: textOf('needle') });
  for (let count = 0; count < 100; count++) await deliver({ body: textOf('x'.repeat(64_000)) });

  const first = await list({ search: 'needle' });

  t.deepEqual(first.deliveries, []);
  t.like(first.search, { by: 'scan', isComplete: false });
  t.true(first.search.scannedCount >= 65 && first.search.scannedCount <= 82, 'up to 5 MiB');
  t.true(turns >= first.search.scannedCount / 2, `${turns} slices`);
  t.deepEqual(await find({ search: 'needle', cursor: first.nextCursor }), [old.publicId]);
  turns = 0;
  await list({ include: 'preview' });
  t.true(turns >= 25, `${turns} slices of previews`);
});

test('unreadable, erased and huge bodies fail no search or list', async (t) => {
  const { db, find, list, deliver, eventOf } = await searchStage(t);
  const unreadable = await deliver({ body: textOf('needle') });
  await db('events')
    .where({ id: await eventOf(unreadable.id) })
    .update({ body_key_id: 'gone' });
  const erased = await deliver({ body: textOf('needle') });
  await db('events')
    .where({ id: await eventOf(erased.id) })
    .update({ erased_at: db.fn.now() });
  await deliver({ body: textOf(`needle ${'x'.repeat(70_000)}`) });
  t.deepEqual(await find({ search: 'needle' }), []);
  const { deliveries } = await list({ include: 'preview' });
  t.deepEqual(fieldsOf(deliveries, 'preview'), [null, null, null]);
});

test('a search finds nothing of another tenant or channel', async (t) => {
  const { db, call, refused, tenant, channel, find, list, deliver, idKey, eventOf } = await searchStage(t);
  const mine = await deliver({ body: textOf('secret word') });
  const stranger = await aTenant(db);
  const theirs = { key: stranger.apiKey, workspace: stranger.workspace.publicId };
  const event = sequencedId(idKey, 'event', await eventOf(mine.id));
  for (const search of [mine.publicId, event, '15550001', 'mid.1', 'secret word', channel.publicId]) {
    t.deepEqual(await find({ search }, theirs), [], search);
  }
  const other = await aChannel(db, tenant.workspace);
  const portal = await aPortal(db, tenant, { channelIds: [other.id] });
  const within = { key: portal.accessToken, workspace: tenant.workspace.publicId };
  const scope = `channel:${other.publicId}`;
  for (const search of [mine.publicId, event, '15550001', 'secret word', channel.publicId]) {
    t.deepEqual(await find({ search, scope }, within), [], search);
  }
  const reports = await Promise.all(
    ['15550001', 'mid.1', '15559999', 'mid.9'].flatMap((search) => [
      list({ search, scope }, within),
      list({ search, channelId: other.publicId }, within),
    ]),
  );
  t.is(new Set(reports.map((page) => JSON.stringify(page))).size, 1, 'also not whether it wrote to another channel');
  t.like((await list({ search: '15550001', channelId: channel.publicId })).search, { by: 'platform_id' });
  await refused('FORBIDDEN', 'GET /deliveries?search=x', within);
  await refused('CHANNEL_NOT_FOUND', `GET /deliveries?channelId=${channel.publicId}`, within);
  t.is((await call(`GET /deliveries?channelId=${other.publicId}`, within)).status, 200);
  t.deepEqual((await list({ channelId: channel.publicId })).deliveries.length, 1);
});
