import test from 'ava';
import { type AcceptItem, acceptItems } from '../../../db/ledger/accept.ts';
import { type Claim, claimDeliveries } from '../../../db/ledger/claim.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  claim,
  deliveryRows,
  hotLedger,
  type HotLedger,
} from '../../harness/deliveries/hot-ledger.ts';
import { aChannel } from '../../harness/tenants.ts';

const idsOf = ({ deliveries }: Claim): number[] => deliveries.map(({ id }) => id);

async function ledgerWith(t: Parameters<typeof hotLedger>[0], { events = 0, conversations = 1 } = {}) {
  const ledger = await hotLedger(t);
  const destination = await aWebhookDestination(ledger, ledger.channel);
  const items = Array.from({ length: events }, (_, index) => anItem({ conversationKey: index % conversations }));
  const ids = events > 0 ? await accepted(ledger.pool, items) : [];
  return { ...ledger, destination, items, ids, shard: destination.shard };
}

/** A second destination, forced into the same shard. */
async function neighbor(ledger: HotLedger, { shard, resourceId }: { shard: number; resourceId: string }) {
  const channel = await aChannel(ledger.db, ledger.tenant.workspace, { resourceId });
  const { id } = await aWebhookDestination(ledger, channel);
  await ledger.db('destinations').where({ id }).update({ shard });
  return { id, channel };
}

test('a claim returns pending rows with their attempt data, oldest first', async (t) => {
  const { pool, shard, ids, items, destination, channel, tenant } = await ledgerWith(t, { events: 3 });
  const claimed = await claim(pool, { shard });
  t.deepEqual(idsOf(claimed), ids);
  const [first] = claimed.deliveries;
  t.like(first, {
    eventType: 'chatapp.message.received',
    destinationId: destination.id,
    channelId: channel.publicId,
    workspaceId: tenant.workspace.publicId,
    conversationKey: 0,
    ordering: 'conversation',
    attemptCount: 0,
    failedInSchedule: 0,
    url: 'https://receiver.example.com/hook',
  });
  t.deepEqual(first!.body, Buffer.from(items[0]!.body));
  t.is(first!.sealedSecrets.length, 1);
});

test('a claim reads at most eight MiB of bodies, in equal shares', async (t) => {
  const ledger = await hotLedger(t);
  const other = await aChannel(ledger.db, ledger.tenant.workspace, { resourceId: '15550009' });
  const [large, small] = [
    await aWebhookDestination(ledger, ledger.channel),
    await aWebhookDestination(ledger, other),
  ] as const;
  await ledger.db('destinations').where({ id: large.id }).update({ shard: 1 });
  await ledger.db('destinations').where({ id: small.id }).update({ shard: 2 });
  const body = Buffer.alloc(3 * 1024 * 1024, 'x');
  const events = (count: number, item: Partial<AcceptItem>) =>
    accepted(
      ledger.pool,
      Array.from({ length: count }, () => anItem(item)),
    );
  const ids = await events(5, { body });
  const others = await events(3, { resourceId: '15550009' });
  const shares = [1, 2].map((shard) => ({ shard, heldIds: [], room: new Map(), defaultRoom: 10, maxRows: 10 }));

  const [first, beside] = (await claimDeliveries(ledger.pool, shares)) as [Claim, Claim];
  t.deepEqual([idsOf(first), first.isCut, [...first.fullDestinationIds]], [ids.slice(0, 2), true, [large.id]]);
  t.deepEqual([idsOf(beside), beside.isCut], [others, false]);

  await ledger.db('destinations').where({ id: large.id }).update({ deleted_at: new Date() });
  const [none] = await claimDeliveries(ledger.pool, shares);
  t.deepEqual([idsOf(none!), none!.isCut], [[], false], 'void rows are left out');
});

test('a claim returns only pending rows of the shard', async (t) => {
  const { pool, db, shard, ids } = await ledgerWith(t, { events: 7 });
  const changes = [
    { status: 'retrying', next_attempt_at: new Date() },
    { status: 'delivered' },
    { status: 'exhausted' },
    { status: 'cancelled' },
    { status: 'skipped', skip_reason: 'forwarding_disabled' },
    { shard: (shard + 1) % 4 },
  ];
  for (const [index, change] of changes.entries()) await db('deliveries').where({ id: ids[index]! }).update(change);
  t.deepEqual(idsOf(await claim(pool, { shard })), [ids[6]!]);
  t.deepEqual(idsOf(await claim(pool, { shard: (shard + 1) % 4 })), [], 'the destination belongs to the other shard');
});

test('a claim writes nothing and leaves rows for the next pump', async (t) => {
  const { pool, shard, ids } = await ledgerWith(t, { events: 2 });
  await claim(pool, { shard });
  t.deepEqual(idsOf(await claim(pool, { shard })), ids);
});

test('a claim excludes rows that the pump already holds', async (t) => {
  const { pool, shard, ids } = await ledgerWith(t, { events: 3 });
  t.deepEqual(idsOf(await claim(pool, { shard, heldIds: [ids[0]!, ids[2]!] })), [ids[1]!]);
});

test('a claim limits a destination to its room and reports more', async (t) => {
  const { pool, shard, ids, destination } = await ledgerWith(t, { events: 5 });
  const inRoom = await claim(pool, { shard, room: new Map([[destination.id, 2]]) });
  t.deepEqual(idsOf(inRoom), ids.slice(0, 2));
  t.true(inRoom.fullDestinationIds.has(destination.id));
  t.deepEqual(idsOf(await claim(pool, { shard, room: new Map([[destination.id, 0]]) })), []);
  const byDefault = await claim(pool, { shard, defaultRoom: 3 });
  t.deepEqual(idsOf(byDefault), ids.slice(0, 3));
  const all = await claim(pool, { shard });
  t.is(all.fullDestinationIds.size, 0);
});

test("one destination's backlog does not hide another destination", async (t) => {
  const ledger = await ledgerWith(t, { events: 300, conversations: 300 });
  const { pool, shard } = ledger;
  const other = await neighbor(ledger, { shard, resourceId: 'res-2' });
  const [late] = await accepted(pool, [anItem({ resourceId: 'res-2' })]);
  const claimed = await claim(pool, { shard, defaultRoom: 256 });
  t.is(claimed.deliveries.length, 257);
  t.is(claimed.deliveries.at(-1)?.id, late);
  t.is(claimed.deliveries.at(-1)!.destinationId, other.id);
});

test("a limited claim takes each destination's first row before any second", async (t) => {
  const ledger = await ledgerWith(t, { events: 10 });
  const { pool, shard, ids } = ledger;
  await neighbor(ledger, { shard, resourceId: 'res-2' });
  const [fresh] = await accepted(pool, [anItem({ resourceId: 'res-2' })]);
  const claimed = await claim(pool, { shard, maxRows: 4 });
  t.deepEqual(idsOf(claimed), [...ids.slice(0, 3), fresh]);
  t.true(claimed.fullDestinationIds.size > 0);
});

test('a hold delays only later rows of its conversation until it expires', async (t) => {
  const { pool, db, shard, ids, destination } = await ledgerWith(t, { events: 6, conversations: 2 });
  const hold = (until_at: Date) =>
    db('conversation_holds')
      .insert({ destination_id: destination.id, conversation_key: 0, delivery_id: ids[2]!, until_at })
      .onConflict(['destination_id', 'conversation_key', 'delivery_id'])
      .merge();
  await hold(new Date(Date.now() + 60_000));
  t.deepEqual(idsOf(await claim(pool, { shard })), [ids[0], ids[1], ids[2], ids[3], ids[5]]);
  await hold(new Date(Date.now() - 1));
  t.deepEqual(idsOf(await claim(pool, { shard })), ids);
});

test('a hold affects only its own destination and conversation', async (t) => {
  const { pool, db, shard, ids, destination } = await ledgerWith(t, { events: 2 });
  const until_at = new Date(Date.now() + 60_000);
  await db('conversation_holds').insert([
    { destination_id: destination.id + 1, conversation_key: 0, delivery_id: 0, until_at },
    { destination_id: destination.id, conversation_key: 9, delivery_id: 0, until_at },
  ]);
  t.deepEqual(idsOf(await claim(pool, { shard })), ids);
});

test('an unordered destination ignores holds', async (t) => {
  const { pool, db, shard, ids, destination } = await ledgerWith(t, { events: 2 });
  await db('destinations').where({ id: destination.id }).update({ ordering: 'none' });
  const until_at = new Date(Date.now() + 60_000);
  await db('conversation_holds').insert({
    destination_id: destination.id,
    conversation_key: 0,
    delivery_id: 0,
    until_at,
  });
  t.deepEqual(idsOf(await claim(pool, { shard })), ids);
});

test('a claim returns valid secrets only, newest first', async (t) => {
  const { pool, db, shard, channel } = await ledgerWith(t, { events: 1 });
  await db('webhook_secrets')
    .where({ channel_id: channel.id })
    .update({ expires_at: new Date(Date.now() + 60_000) });
  await db('webhook_secrets').insert([
    { channel_id: channel.id, secret_encrypted: 'expired', expires_at: new Date(Date.now() - 1) },
    { channel_id: channel.id, secret_encrypted: 'newest' },
  ]);
  const { deliveries } = await claim(pool, { shard });
  t.is(deliveries[0]!.sealedSecrets.length, 2);
  t.is(deliveries[0]!.sealedSecrets[0], 'newest');
});

test('claims return all rows that commit out of id order', async (t) => {
  const { pool, shard, anotherPool } = await ledgerWith(t);
  const slow = anotherPool(1);
  await slow.query('begin');
  const early = [anItem(), anItem()];
  await acceptItems(slow, early);
  const [visible] = await accepted(pool, [anItem()]);
  t.deepEqual(idsOf(await claim(pool, { shard })), [visible!]);
  await slow.query('commit');
  const later = idsOf(await claim(pool, { shard, heldIds: [visible!] }));
  t.is(later.length, 2);
  t.true(later.every((id) => id < visible!));
  t.is((await deliveryRows(pool)).length, 3);
});

test('a cut claim prefers destinations that hold fewer rows', async (t) => {
  const { pool, shard, destination, ids, ...ledger } = await ledgerWith(t, { events: 6 });
  const { id: neighborId } = await neighbor({ pool, ...ledger }, { shard, resourceId: 'res-2' });
  const neighborIds = await accepted(
    pool,
    Array.from({ length: 3 }, () => anItem({ resourceId: 'res-2' })),
  );
  const holding = { heldIds: ids.slice(0, 2), room: new Map([[destination.id, 64]]) };
  const heldCounts = new Map([[destination.id, 2]]);
  const claimed = await claim(pool, { shard, ...holding, heldCounts, maxRows: 4 });
  t.deepEqual(idsOf(claimed), [ids[2]!, ...neighborIds]);
  t.is(claimed.deliveries.filter(({ destinationId }) => destinationId === neighborId).length, 3);
});
