import test from 'ava';
import { ledgerTransaction } from '../../../db/core/ledger-transaction.ts';
import { disableDestination, retargetDestination } from '../../../db/ledger/destinations/destinations.ts';
import { applyPending } from '../../../db/ledger/apply-pending.ts';
import { cancelDelivery } from '../../../db/ledger/cancel-delivery.ts';
import { rotateWebhookSecret } from '../../../db/webhooks/secrets.ts';
import { testAudit } from '../../harness/audit.ts';
import { endVoid } from '../../harness/end-void.ts';
import { eventually } from '../../harness/eventually.ts';
import { deliveryRows, acceptedItems } from '../../harness/deliveries/hot-ledger.ts';
import { testSecretBox } from '../../harness/tenants.ts';
import { HELD_MS, pumpStage, untilNotified } from '../../harness/deliveries/pump-stage.ts';

const audit = { ...testAudit, action: 'delivery.cancelled' };

test('cancelling a delivery releases the next one of its conversation', async (t) => {
  const { pool, db, webhook, startPump } = await pumpStage(t);
  const [first, second] = await acceptedItems(pool, 2);
  webhook.set({ then: { status: 500 } });
  startPump();
  await eventually(async () => (await deliveryRows(pool))[0]!.status === 'retrying');
  webhook.set({ then: null });
  t.is(await cancelDelivery(db, { id: first!, audit }), 'retrying');
  await eventually(async () => (await deliveryRows(pool)).find(({ id }) => id === second)!.status === 'delivered');
  t.is(await cancelDelivery(db, { id: first!, audit }), undefined);
});

test('ending void deliveries while pumps settle them does not deadlock', async (t) => {
  const stage = await pumpStage(t);
  const { pool, db, destination, webhook, startPump } = stage;
  await acceptedItems(pool, 400, (index) => index);
  // The rest waits, however long the end takes on a busy machine.
  webhook.set({ answers: Array<object>(200).fill({ delayMs: 5 }), then: { delayMs: HELD_MS } });
  startPump();
  await webhook.waitForDeliveries(20);
  await db('destinations').where({ id: destination.id }).update({ enabled: false });
  await endVoid(pool);
  webhook.set({ then: null });
  webhook.release();
  await eventually(async () => {
    await endVoid(pool); // also what was locked
    return (await deliveryRows(pool)).every(({ status }) => ['delivered', 'skipped'].includes(status));
  });
  t.true(webhook.deliveries().length < 400);
});

test('held deliveries follow a cancellation and a changed URL', async (t) => {
  const stage = await pumpStage(t);
  const { pool, db, destination, receiver, webhook, startPump } = stage;
  const moved = receiver.webhook('moved');
  const ids = await acceptedItems(pool, 6);
  webhook.set({ answers: [{ delayMs: HELD_MS }] });
  const pump = startPump();
  await webhook.waitForDeliveries(1);
  await cancelDelivery(db, { id: ids[1]!, audit });
  await ledgerTransaction(db, async (trx) => {
    await applyPending(trx, { destinationId: destination.id, pending: 'follow' });
    await retargetDestination(trx, { id: destination.id, url: moved.url });
  });
  await untilNotified(stage);
  webhook.release();
  await moved.waitForDeliveries(4);
  await pump.stop();
  t.is(webhook.deliveries().length, 1, 'the delivery in flight');
  const statuses = (await deliveryRows(pool)).map(({ status }) => status);
  t.deepEqual(statuses, ['delivered', 'cancelled', 'delivered', 'delivered', 'delivered', 'delivered']);
});

test('held deliveries of a disabled destination are not sent', async (t) => {
  const stage = await pumpStage(t);
  const { pool, db, destination, webhook, startPump } = stage;
  await acceptedItems(pool, 4);
  webhook.set({ answers: [{ delayMs: HELD_MS }] });
  startPump();
  await webhook.waitForDeliveries(1);
  await ledgerTransaction(db, (trx) => disableDestination(trx, destination.id));
  await untilNotified(stage);
  webhook.release();
  await eventually(async () => (await deliveryRows(pool))[0]!.status === 'delivered');
  await endVoid(pool);
  t.is(webhook.deliveries().length, 1, 'the delivery in flight');
  const statuses = (await deliveryRows(pool)).map(({ status }) => status);
  t.deepEqual(statuses, ['delivered', 'skipped', 'skipped', 'skipped']);
});

test('a rotation without overlap applies to deliveries held by a pump', async (t) => {
  const stage = await pumpStage(t);
  const { pool, db, channel, webhook, startPump } = stage;
  await acceptedItems(pool, 3);
  webhook.set({ answers: [{ delayMs: HELD_MS }] });
  startPump();
  await webhook.waitForDeliveries(1);
  const rotation = { channelId: channel.id, channelPublicId: channel.publicId, overlapSeconds: 0 };
  const rotated = await rotateWebhookSecret(db, testSecretBox, {
    ...rotation,
    idempotencyKeyHash: null,
    audit: testAudit,
  });
  webhook.set({ secret: rotated!.secret });
  await untilNotified(stage);
  webhook.release();
  await webhook.waitForDeliveries(3);
  t.deepEqual(
    webhook
      .deliveries()
      .map(({ signatureValid }) => signatureValid)
      .slice(1),
    [true, true],
  );
});
