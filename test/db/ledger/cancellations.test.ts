import test from 'ava';
import { disconnectChannel } from '../../../db/channels/channels.ts';
import { ledgerTransaction } from '../../../db/core/ledger-transaction.ts';
import { applyPending } from '../../../db/ledger/apply-pending.ts';
import { cancelDelivery } from '../../../db/ledger/cancel-delivery.ts';
import { endDelivery } from '../../../db/ledger/load-delivery.ts';
import { restartDelivery } from '../../../db/ledger/restart-delivery.ts';
import { eraseEvents } from '../../../db/ledger/upkeep/erase-events.ts';
import { clearWebhook } from '../../../db/webhooks/configs.ts';
import { testAudit } from '../../harness/audit.ts';
import { hotLedger, type HotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { endVoid } from '../../harness/end-void.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';

const { actor } = testAudit;
const byActor = { actorType: actor.type, actorId: actor.id };

async function stage({ db, tenant }: HotLedger) {
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const { id, publicId } = await aLedgerDelivery(db, channel, { destinationId });
  const read = async () => {
    const row = await db('deliveries').where({ id }).first('status', 'cancellation', 'event_id');
    const { at, ...cancellation } = row.cancellation ?? {};
    return { status: row.status, at, cancellation: row.cancellation && cancellation, eventId: row.event_id };
  };
  return { channel, destinationId, id, publicId, read };
}

test('a cancelled delivery names the one who cancelled it', async (t) => {
  const database = await hotLedger(t);
  const { db } = database;
  const { id, publicId, read } = await stage(database);
  const audit = { ...testAudit, action: 'delivery.cancelled', targetId: publicId };
  await cancelDelivery(db, { id, audit });
  const { at, ...row } = await read();
  t.like(row, { status: 'cancelled', cancellation: { reason: 'requested', ...byActor } });
  t.true(Math.abs(Date.parse(at) - Date.now()) < 3_600_000);

  const restarted = await restartDelivery(db, { id, from: 'cancelled', audit });
  t.is(restarted.outcome, 'restarted');
  t.like(await read(), { status: 'pending', cancellation: null });
});

test('a disconnected channel and a removed webhook are reasons', async (t) => {
  const database = await hotLedger(t);
  const { db, pool } = database;
  const one = await stage(database);
  const two = await stage(database);
  await disconnectChannel(db, { ...one.channel, audit: testAudit });
  await clearWebhook(db, testSecretBox, {
    channelId: two.channel.id,
    channelPublicId: two.channel.publicId,
    audit: testAudit,
  });
  await endVoid(pool);
  t.deepEqual((await one.read()).cancellation, { reason: 'channel_disconnected', ...byActor });
  t.deepEqual((await two.read()).cancellation, { reason: 'destination_deleted', ...byActor });
});

test('an edit of the URL is a reason', async (t) => {
  const database = await hotLedger(t);
  const { destinationId, read } = await stage(database);
  const { db, pool } = database;
  const other = await stage(database);
  for (const edited of [destinationId, other.destinationId]) {
    await ledgerTransaction(db, (trx) => applyPending(trx, { destinationId: edited, pending: 'cancel', actor }));
  }
  await endDelivery(pool, { id: other.id, end: 'cancel', reason: null });
  await endVoid(pool);
  for (const shown of [read, other.read]) {
    t.deepEqual((await shown()).cancellation, { reason: 'url_changed', ...byActor });
  }
});

test('an erasure is a reason without an actor', async (t) => {
  const database = await hotLedger(t);
  const { read } = await stage(database);
  const { eventId } = await read();
  await ledgerTransaction(database.db, (trx) => eraseEvents(trx, [eventId]));
  t.like(await read(), { status: 'cancelled', cancellation: { reason: 'event_erased' } });
});

test('a delivery that its worker finds void says why', async (t) => {
  const database = await hotLedger(t);
  const { db, pool } = database;
  const one = await stage(database);
  const two = await stage(database);
  await db('channels').where({ id: one.channel.id }).update({ disconnected_at: db.fn.now() });
  await endDelivery(pool, { id: one.id, end: 'cancel', reason: null });
  await endDelivery(pool, { id: two.id, end: 'cancel', reason: null });
  t.deepEqual((await one.read()).cancellation, { reason: 'channel_disconnected' });
  t.deepEqual((await two.read()).cancellation, { reason: 'destination_deleted' });
});
