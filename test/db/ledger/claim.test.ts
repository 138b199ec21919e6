import test from 'ava';
import { allShards } from '../../../contract/deliveries/shards.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import type { Claim } from '../../../db/ledger/claim.ts';
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

/** A second destination, of another shard. */
async function neighbor(ledger: HotLedger, resourceId: string) {
  const channel = await aChannel(ledger.db, ledger.tenant.workspace, { resourceId });
  return await aWebhookDestination(ledger, channel);
}

test('a claim returns pending rows with their attempt data, oldest first', async (t) => {
  const { pool, ids, items, destination, channel, tenant } = await ledgerWith(t, { events: 3 });
  const claimed = await claim(pool);
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

test('a claim reads at most eight MiB of bodies of all shards', async (t) => {
  const ledger = await hotLedger(t);
  const { pool, db } = ledger;
  const large = await aWebhookDestination(ledger, ledger.channel);
  const small = await neighbor(ledger, 'res-2');
  t.not(large.shard, small.shard);
  const body = Buffer.alloc(3 * 1024 * 1024, 'x');
  const ids = await accepted(
    pool,
    Array.from({ length: 5 }, () => anItem({ body })),
  );
  const [first, second, ...others] = await accepted(
    pool,
    Array.from({ length: 4 }, () => anItem({ resourceId: 'res-2' })),
  );
  const request = { shards: [large.shard, small.shard], defaultRoom: 10, maxRows: 20 };

  const cut = await claim(pool, request);
  t.deepEqual(idsOf(cut), [...ids.slice(0, 3), first, second], 'first rows first, until eight MiB are exceeded');
  t.true(cut.isCut);
  t.deepEqual([...cut.fullDestinationIds].toSorted(), [large.id, small.id]);

  const rest = await claim(pool, { ...request, heldIds: idsOf(cut) });
  t.deepEqual([idsOf(rest), rest.isCut], [[...ids.slice(3), ...others], false]);

  await db('destinations').where({ id: large.id }).update({ deleted_at: new Date() });
  const left = await claim(pool, request);
  t.deepEqual([idsOf(left), left.isCut], [[first, second, ...others], false], 'void rows are left out');
});

test('a claim reads one body that is larger than its limit', async (t) => {
  const { pool, channel, ...ledger } = await hotLedger(t);
  await aWebhookDestination(ledger, channel);
  const [first] = await accepted(pool, [anItem({ body: Buffer.alloc(9 * 1024 * 1024, 'x') }), anItem()]);
  const claimed = await claim(pool);
  t.deepEqual([idsOf(claimed), claimed.isCut], [[first], true]);
});

test('a claim returns only pending rows of the shard', async (t) => {
  const { pool, db, shard, ids } = await ledgerWith(t, { events: 7 });
  const changes = [
    { status: 'retrying', next_attempt_at: new Date() },
    { status: 'delivered' },
    { status: 'exhausted' },
    { status: 'cancelled' },
    { status: 'skipped', skip_reason: 'forwarding_disabled' },
    { shard: shard + 1 },
  ];
  for (const [index, change] of changes.entries()) await db('deliveries').where({ id: ids[index]! }).update(change);
  t.deepEqual(idsOf(await claim(pool)), [ids[6]!]);
  for (const shards of [[], [shard + 1], allShards.filter((each) => each !== shard)])
    t.deepEqual(idsOf(await claim(pool, { shards })), [], 'the destination belongs to no other shard');
});

test('a claim writes nothing and leaves rows for the next pump', async (t) => {
  const { pool, ids } = await ledgerWith(t, { events: 2 });
  await claim(pool);
  t.deepEqual(idsOf(await claim(pool)), ids);
});

test('a claim excludes rows that the pump already holds', async (t) => {
  const { pool, ids } = await ledgerWith(t, { events: 3 });
  t.deepEqual(idsOf(await claim(pool, { heldIds: [ids[0]!, ids[2]!] })), [ids[1]!]);
});

test('a claim limits a destination to its room and reports more', async (t) => {
  const { pool, ids, destination } = await ledgerWith(t, { events: 5 });
  const inRoom = await claim(pool, { room: new Map([[destination.id, 2]]) });
  t.deepEqual(idsOf(inRoom), ids.slice(0, 2));
  t.true(inRoom.fullDestinationIds.has(destination.id));
  t.deepEqual(idsOf(await claim(pool, { room: new Map([[destination.id, 0]]) })), []);
  const byDefault = await claim(pool, { defaultRoom: 3 });
  t.deepEqual(idsOf(byDefault), ids.slice(0, 3));
  const all = await claim(pool);
  t.is(all.fullDestinationIds.size, 0);
});

test("one destination's backlog does not hide another destination", async (t) => {
  const ledger = await ledgerWith(t, { events: 300, conversations: 300 });
  const { pool } = ledger;
  const other = await neighbor(ledger, 'res-2');
  const [late] = await accepted(pool, [anItem({ resourceId: 'res-2' })]);
  const claimed = await claim(pool, { defaultRoom: 256 });
  t.is(claimed.deliveries.length, 257);
  t.is(claimed.deliveries.at(-1)?.id, late);
  t.is(claimed.deliveries.at(-1)!.destinationId, other.id);
});

test("a limited claim takes each destination's first row before any second", async (t) => {
  const ledger = await ledgerWith(t, { events: 10 });
  const { pool, ids } = ledger;
  await neighbor(ledger, 'res-2');
  const [fresh] = await accepted(pool, [anItem({ resourceId: 'res-2' })]);
  const claimed = await claim(pool, { maxRows: 4 });
  t.deepEqual(idsOf(claimed), [...ids.slice(0, 3), fresh]);
  t.true(claimed.fullDestinationIds.size > 0);
});

test('a hold delays only later rows of its conversation until it expires', async (t) => {
  const { pool, db, ids, destination } = await ledgerWith(t, { events: 6, conversations: 2 });
  const hold = (until_at: Date) =>
    db('conversation_holds')
      .insert({ destination_id: destination.id, conversation_key: 0, delivery_id: ids[2]!, until_at })
      .onConflict(['destination_id', 'conversation_key', 'delivery_id'])
      .merge();
  await hold(new Date(Date.now() + 60_000));
  t.deepEqual(idsOf(await claim(pool)), [ids[0], ids[1], ids[2], ids[3], ids[5]]);
  await hold(new Date(Date.now() - 1));
  t.deepEqual(idsOf(await claim(pool)), ids);
});

test('a hold affects only its own destination and conversation', async (t) => {
  const { pool, db, ids, destination } = await ledgerWith(t, { events: 2 });
  const until_at = new Date(Date.now() + 60_000);
  await db('conversation_holds').insert([
    { destination_id: destination.id + 1, conversation_key: 0, delivery_id: 0, until_at },
    { destination_id: destination.id, conversation_key: 9, delivery_id: 0, until_at },
  ]);
  t.deepEqual(idsOf(await claim(pool)), ids);
});

test('an unordered destination ignores holds', async (t) => {
  const { pool, db, ids, destination } = await ledgerWith(t, { events: 2 });
  await db('destinations').where({ id: destination.id }).update({ ordering: 'none' });
  const until_at = new Date(Date.now() + 60_000);
  await db('conversation_holds').insert({
    destination_id: destination.id,
    conversation_key: 0,
    delivery_id: 0,
    until_at,
  });
  t.deepEqual(idsOf(await claim(pool)), ids);
});

test('a claim returns valid secrets only, newest first', async (t) => {
  const { pool, db, channel } = await ledgerWith(t, { events: 1 });
  await db('webhook_secrets')
    .where({ channel_id: channel.id })
    .update({ expires_at: new Date(Date.now() + 60_000) });
  await db('webhook_secrets').insert([
    { channel_id: channel.id, secret_encrypted: 'expired', expires_at: new Date(Date.now() - 1) },
    { channel_id: channel.id, secret_encrypted: 'newest' },
  ]);
  const { deliveries } = await claim(pool);
  t.is(deliveries[0]!.sealedSecrets.length, 2);
  t.is(deliveries[0]!.sealedSecrets[0], 'newest');
});

test('claims return all rows that commit out of id order', async (t) => {
  const { pool, anotherPool } = await ledgerWith(t);
  const slow = anotherPool(1);
  await slow.query('begin');
  const early = [anItem(), anItem()];
  await acceptItems(slow, early);
  const [visible] = await accepted(pool, [anItem()]);
  t.deepEqual(idsOf(await claim(pool)), [visible!]);
  await slow.query('commit');
  const later = idsOf(await claim(pool, { heldIds: [visible!] }));
  t.is(later.length, 2);
  t.true(later.every((id) => id < visible!));
  t.is((await deliveryRows(pool)).length, 3);
});

test('a cut claim prefers destinations that hold fewer rows', async (t) => {
  const { pool, destination, ids, ...ledger } = await ledgerWith(t, { events: 6 });
  const { id: neighborId } = await neighbor({ pool, ...ledger }, 'res-2');
  const neighborIds = await accepted(
    pool,
    Array.from({ length: 3 }, () => anItem({ resourceId: 'res-2' })),
  );
  const holding = { heldIds: ids.slice(0, 2), room: new Map([[destination.id, 64]]) };
  const heldCounts = new Map([[destination.id, 2]]);
  const claimed = await claim(pool, { ...holding, heldCounts, maxRows: 4 });
  t.deepEqual(idsOf(claimed), [ids[2]!, ...neighborIds]);
  t.is(claimed.deliveries.filter(({ destinationId }) => destinationId === neighborId).length, 3);
});
