import test from 'ava';
import { InstallationFault } from '../../../activities/deliveries/send-delivery.ts';
import { sequencedId } from '../../../contract/ids.ts';
import type { StandingRow } from '../../harness/deliveries/failing-ledger.ts';
import { eventually } from '../../harness/eventually.ts';
import { deliveryRows, acceptedItems } from '../../harness/deliveries/hot-ledger.ts';
import {
  HELD_MS,
  idsOf,
  pumpStage,
  statusesOf,
  untilAll,
  type PumpStage,
} from '../../harness/deliveries/pump-stage.ts';

const standingOf = async ({ db, destination }: PumpStage) =>
  (await db<StandingRow>('destinations').where({ id: destination.id }).first())!;
const untilOpen = (stage: PumpStage) => eventually(async () => (await standingOf(stage)).circuit === 'open');

test('a failing receiver gets few requests before its circuit opens', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 200, (index) => index);
  stage.webhook.set({ then: { status: 500 } });
  const pump = stage.startPump();
  await untilOpen(stage);
  await acceptedItems(stage.pool, 50, (index) => index);
  const { settledCount } = await pump.stop();

  t.is(pump.promoted.length, 5);
  t.deepEqual([...new Set(pump.signalledIds)], [stage.destination.id]);
  t.true(settledCount <= 16, `${settledCount} requests were made`);
  t.is(stage.webhook.deliveries().length, settledCount);
  const statuses = await statusesOf(stage);
  t.is(statuses.filter((status) => status === 'retrying').length, 5);
  t.is(statuses.filter((status) => status === 'pending').length, 245);
});

test('after an accepted probe each conversation is delivered in order', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 60, (index) => index % 6);
  stage.webhook.set({ then: { status: 500 } });
  const pump = stage.startPump({ scheduleMs: [1, 60_000] });
  await untilOpen(stage);
  await pump.stop(); // settles what is in flight: requests of a varying number of deliveries
  stage.webhook.set({ then: null });
  stage.webhook.clear();
  const probe = { destinationId: stage.destination.id, probesMade: 0, delayMs: 1_000, isRequested: true };
  const { status, woken } = await stage.circuitActivities.probeDestination(probe);
  t.deepEqual([status, woken.length], ['closed', 0], 'the pump makes the first retries');
  stage.startPump({ scheduleMs: [1, 60_000] });
  await untilAll(stage, 'delivered');

  const rows = await deliveryRows(stage.pool);
  const numberOf = new Map(rows.map(({ id }) => [sequencedId(stage.idKey, 'delivery', id), id]));
  const arrived = idsOf(stage.webhook.deliveries()).map((id) => numberOf.get(id)!);
  t.is(arrived.length, 60);
  for (let key = 0; key < 6; key++) {
    const ofConversation = rows.filter(({ conversation_key }) => conversation_key === key).map(({ id }) => id);
    t.deepEqual(
      arrived.filter((id) => ofConversation.includes(id)),
      ofConversation,
    );
  }
});

test('an internal error counts no attempt and is retried', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 1);
  let faults = 0;
  const pump = stage.startPump({
    async sendDelivery(...input) {
      if (faults++ === 0) throw new InstallationFault({ error: 'dns_failed', detail: 'EAI_AGAIN' });
      return await stage.sendDelivery(...input);
    },
  });
  await untilAll(stage, 'delivered');
  await pump.stop();
  t.is((await deliveryRows(stage.pool))[0]!.attempt_count, 1);
  t.like(await standingOf(stage), { circuit: 'closed', consecutive_failures: 0, failing_since: null });
});

test('an unresponsive destination gets only its initial allowance', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 400, (index) => index);
  stage.webhook.set({ then: { delayMs: HELD_MS } });
  const pump = stage.startPump();
  await stage.webhook.waitForDeliveries(8);
  const { rows } = await stage.pool.query('select 1 from attempts');
  t.is(rows.length, 0);
  t.is(stage.webhook.deliveries().length, 8, 'the initial allowance is in flight');
  const stopped = pump.stop();
  stage.webhook.release();
  await stopped;
});
