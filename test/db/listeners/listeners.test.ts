import test, { type ExecutionContext } from 'ava';
import { createAdoption } from '../../../activities/pump/adoption.ts';
import { allShards } from '../../../contract/deliveries/shards.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { LISTENER_SHARD } from '../../../db/ledger/destinations/destinations.ts';
import type { StoredBody } from '../../../db/core/body-box.ts';
import { disableForwarding, disconnectChannel } from '../../../db/channels/channels.ts';
import { deleteListener } from '../../../db/listeners/listeners.ts';
import { readBacklog } from '../../../db/upkeep/backlog.ts';
import { findBrokenInvariants } from '../../../db/upkeep/broken-invariants.ts';
import {
  FIRST_POSITION,
  findReadable,
  readListenerDeliveries,
} from '../../../db/ledger/listeners/listener-deliveries.ts';
import { MAX_PENDING } from '../../../db/ledger/replays/send-replay-batch.ts';
import { acknowledgeDeliveries } from '../../../db/ledger/listeners/acknowledge-deliveries.ts';
import { createShardWakes } from '../../../db/core/shard-wakes.ts';
import { testAudit } from '../../harness/audit.ts';
import { endVoid } from '../../harness/end-void.ts';
import { eventually } from '../../harness/eventually.ts';
import {
  anItem,
  aSubscriptionDestination,
  aWebhookDestination,
  claim,
  deliveryRows,
  hotLedger,
  items,
} from '../../harness/deliveries/hot-ledger.ts';
import { aListener } from '../../harness/listeners/listeners.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { replayStage } from '../../harness/replays/replays.ts';
import { testBodyBox } from '../../harness/tenants.ts';
import { notificationsOf } from '../../harness/deliveries/pump-deps.ts';

async function stage(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, channel, tenant } = ledger;
  const listener = await aListener(db, channel);
  const place = { destinationId: listener.destinationId, workspaceId: tenant.workspace.id };
  const read = (after = FIRST_POSITION, limit = 100) => readListenerDeliveries(db, { ...place, after, limit });
  const untilRead = (count: number) =>
    eventually(async () => {
      const found = await read();
      return found.length === count && found;
    });
  return { ...ledger, listener, place, read, untilRead };
}

const bodies = (deliveries: readonly { readonly body: StoredBody }[]) =>
  deliveries.map(({ body }) => String(testBodyBox.open(body)));

test('only listeners are in the shard that no pump serves', async (t) => {
  const { db, channel, listener } = await stage(t);
  await aWebhookDestination({ db }, channel);
  await aSubscriptionDestination({ db }, channel);
  t.false(allShards.includes(LISTENER_SHARD));
  t.deepEqual(await db('destinations').where({ shard: LISTENER_SHARD }).pluck('id'), [listener.destinationId]);
});

test('deliveries of a listener are not claimed and wake no pump', async (t) => {
  const { pool, db, url, channel, untilRead } = await stage(t);
  const wake = notificationsOf(t, { url });
  const woken: number[] = [];
  let isConnected = false;
  wake.subscribe((shards, change) => {
    if (change === 'unknown') isConnected = true;
    woken.push(...shards);
  });
  await eventually(() => isConnected);
  const wakes = createShardWakes({ pool, log: rememberingLog() });
  const forListeners = await acceptItems(pool, [anItem(), anItem()]);
  t.deepEqual(forListeners.offers, []);
  const { shard } = await aWebhookDestination({ db }, channel);
  wakes.wake((await acceptItems(pool, [anItem()])).offers.map((offer) => offer.shard));
  await eventually(() => woken.length > 0);
  t.deepEqual(woken, [shard]);
  t.is((await claim(pool)).deliveries.length, 1);
  await untilRead(3);
  t.deepEqual(
    (await deliveryRows(pool)).map((row) => row.shard).toSorted((one, other) => one - other),
    [-1, -1, -1, shard],
  );
});

test('a reader does not miss rows that commit late', async (t) => {
  const { pool, anotherPool, read, untilRead } = await stage(t);
  await acceptItems(pool, [anItem({ body: Buffer.from('first') })]);
  const [first] = await untilRead(1);
  const late = anotherPool(1);
  const later = anotherPool(1); // one connection per transaction
  await later.query('begin');
  await late.query('begin');
  await acceptItems(late, [anItem({ body: Buffer.from('late') })]);
  await acceptItems(pool, [anItem({ body: Buffer.from('between') })]);
  await acceptItems(later, [anItem({ body: Buffer.from('later') })]);
  t.deepEqual(bodies(await read(first!.position)), [], 'rows after a running transaction are not read');
  await later.query('commit');
  t.deepEqual(bodies(await read(first!.position)), []);
  await late.query('commit');

  const seen: string[] = [];
  let after = first!.position;
  await eventually(async () => {
    const [next] = await read(after, 1);
    if (next) [after] = [next.position, seen.push(next.body.toString())];
    return seen.length === 3;
  });
  t.deepEqual(seen, ['late', 'between', 'later']);
});

test('one query finds all readers with new deliveries', async (t) => {
  const { db, pool, channel, place, tenant, untilRead } = await stage(t);
  await acceptItems(pool, [anItem()]);
  const [first] = await untilRead(1);
  const fresh = await aListener(db, channel);
  const places = [
    { ...place, after: first!.position },
    { ...place, after: FIRST_POSITION },
    { ...place, workspaceId: place.workspaceId + 1, after: FIRST_POSITION },
    { destinationId: fresh.destinationId, workspaceId: tenant.workspace.id, after: FIRST_POSITION },
  ];
  t.deepEqual(await findReadable(db, places), [1]);
  t.deepEqual(await findReadable(db, []), []);
});

test('void deliveries do not wake their reader', async (t) => {
  const { db, pool, channel, place, read, untilRead } = await stage(t);
  await acceptItems(pool, [anItem()]);
  await untilRead(1);
  const look = async () => await findReadable(db, [{ ...place, after: FIRST_POSITION }]);
  const standings = [
    [channel.id, 'channels', { forwarding_enabled: false }, { forwarding_enabled: true }],
    [channel.id, 'channels', { disconnected_at: new Date() }, { disconnected_at: null }],
    [place.destinationId, 'destinations', { enabled: false }, { enabled: true }],
    [place.destinationId, 'destinations', { deleted_at: new Date() }, { deleted_at: null }],
  ] as const;
  for (const [id, table, change, back] of standings) {
    // A transaction of another test that ends during the read hides the delivery for this read.
    await eventually(async () => (await look()).includes(0));
    await db(table).where({ id }).update(change); // its deliveries are still pending
    t.deepEqual([await read(), await look()], [[], []]);
    await db(table).where({ id }).update(back);
  }
});

test('an event accepted while its listener ends is ended soon', async (t) => {
  const { db, pool, channel, tenant, idKey, listener } = await stage(t);
  const audit = { ...testAudit, organizationId: tenant.organization.id };
  const kept = await aListener(db, channel);
  await deleteListener(db, { channelId: channel.id, publicId: listener.publicId, audit });
  const insertLate = (destinationId: number) =>
    pool.query(
      `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
       values (1, $1, $2, $3, -1, 1, 'chatapp.message.received', 'pending')`,
      [channel.id, tenant.workspace.id, destinationId],
    );
  for (const { destinationId } of [listener, kept, listener]) await insertLate(destinationId);
  t.is(await endVoid(pool), 2);
  const statuses = async () => (await deliveryRows(pool)).map(({ status, skip_reason }) => skip_reason ?? status);
  t.deepEqual(await statuses(), ['cancelled', 'pending', 'cancelled']);
  t.is(await endVoid(pool), 0);

  await disableForwarding(db, { ...channel, audit });
  await insertLate(kept.destinationId);
  const nobody = { start: async () => undefined, signalCircuits: () => undefined, promote: () => undefined };
  const log = rememberingLog();
  const adoption = createAdoption({
    pool,
    idKey,
    log,
    promotion: nobody,
    circuits: nobody,
    stopping: new AbortController().signal,
    wakeDelivery: async () => undefined,
    listAbandoned: async () => [],
    listAbandonedCircuits: async () => [],
  });
  await adoption.adoptClosed();
  t.deepEqual(await statuses(), ['cancelled', 'forwarding_disabled', 'cancelled', 'forwarding_disabled']);
  await disconnectChannel(db, { ...channel, audit });
  await insertLate(kept.destinationId);
  await adoption.adoptClosed();
  t.is((await statuses()).at(-1), 'cancelled');
});

test('deliveries of listeners are not part of the backlog', async (t) => {
  const { pool } = await stage(t);
  await acceptItems(pool, [anItem(), anItem()]);
  await pool.query("update deliveries set created_at = now() - interval '1 day'");
  const { waiting, oldest } = await readBacklog(pool);
  t.is(Math.max(...waiting.map(({ count }) => count)), 0);
  t.is(Math.max(...oldest.map(({ seconds }) => seconds)), 0);
});

test('reported failures neither open a circuit nor disable the listener', async (t) => {
  const { db, pool, place, untilRead } = await stage(t);
  await acceptItems(pool, items(12));
  const found = await untilRead(12);
  const attempt = { outcome: 'rejected', status: 410, durationMs: 1, responseBody: null, error: null } as const;
  const attempts = found.map(({ id }) => ({ deliveryId: id, ...attempt }));
  for (const one of attempts) {
    t.deepEqual(await acknowledgeDeliveries(db, { ...place, attempts: [one] }), { outcome: 'recorded', count: 1 });
    await db('destinations').update({ last_failure_at: new Date(Date.now() - 6 * 86_400_000) });
  }
  const destination = await db('destinations').first();
  t.like(destination, { enabled: true, circuit: 'closed', consecutive_failures: 0, failing_since: null });
});

test('an unread listener does not delay a replay', async (t) => {
  const replays = await replayStage(t);
  const { db, channel } = replays;
  const listener = await aListener(db, channel);
  const count = MAX_PENDING * 3;
  await replays.sources(count, { destinationId: listener.destinationId });
  const replayId = await replays.plannedReplay();
  await eventually(async () => {
    await replays.send(replayId);
    return (await replays.row(replayId)).sent === count;
  });
  const sent = await replays.sentDeliveries();
  t.is(sent.length, count);
  t.true(sent.every(({ shard, status }) => shard === -1 && status === 'pending'));
});

test('the daily check accepts reported failures and finds orphaned deliveries', async (t) => {
  const { db, pool, place, listener, channel, untilRead } = await stage(t);
  await acceptItems(pool, [anItem(), anItem()]);
  const [first, second] = (await untilRead(2)).map(({ id }) => id);
  const attempt = { outcome: 'rejected', status: 500, durationMs: 1, responseBody: null, error: null } as const;
  await acknowledgeDeliveries(db, { ...place, attempts: [{ deliveryId: first!, ...attempt }] });
  const settings = { scheduleLength: 11, scheduleMs: 86_400_000, lookBackMs: 86_400_000 };
  const broken = async (part: 'deliveries' | 'pending') =>
    (await findBrokenInvariants(db, { part, from: [-1], settings })).broken;
  t.deepEqual([...(await broken('deliveries')), ...(await broken('pending'))], []);

  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await db('channels').where({ id: channel.id }).update({ updated_at: longAgo });
  await db('destinations')
    .where({ id: listener.destinationId })
    .update({ deleted_at: longAgo, updated_at: longAgo, last_failure_at: longAgo });
  await db('deliveries').update({ created_at: longAgo });
  t.like(await broken('pending'), { 0: { rule: 'waiting_for_nobody', number: second }, length: 1 });
  await db('deliveries').where({ id: first }).update({ attempt_count: 3 });
  t.like(await broken('deliveries'), { 0: { rule: 'exhausted_early', number: first }, length: 1 });
});
