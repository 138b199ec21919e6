import test from 'ava';
import type { ReceivedRequest } from '../../../simulator/receiver/scripted-webhook.ts';
import { eventually } from '../../harness/eventually.ts';
import { accepted, acceptedItems, items } from '../../harness/deliveries/hot-ledger.ts';
import { HELD_MS, idsOf, pumpStage, statusesOf, untilAll } from '../../harness/deliveries/pump-stage.ts';

/** The next pump never finds a request of these tests overdue. */
const attemptTimeoutMs = 600_000;
const slow = { delayMs: HELD_MS };

const numberOf = ({ bodyBase64 }: ReceivedRequest): number =>
  Number(JSON.parse(Buffer.from(bodyBase64!, 'base64').toString()).n);
const handedOver = async ({ db }: Awaited<ReturnType<typeof pumpStage>>) =>
  await db('handed_over_deliveries').orderBy('delivery_id').select('delivery_id', 'fence');

test('a slow request holds up only its conversation at a hand-over', async (t) => {
  const stage = await pumpStage(t);
  const { webhook, pool } = stage;
  const [slowId] = await acceptedItems(pool, 1, () => 1);
  webhook.set({ answers: [slow] });
  const first = stage.startPump({ attemptTimeoutMs });
  await webhook.waitForDeliveries(1);
  const ending = first.stop();
  stage.startPump({ attemptTimeoutMs });
  await accepted(pool, [...items(2, () => 1), ...items(4, (index) => index + 2)]);
  await webhook.waitForDeliveries(5);
  await eventually(
    async () => (await statusesOf(stage)).join() === 'pending,pending,pending,delivered,delivered,delivered,delivered',
  );
  t.deepEqual(await handedOver(stage), [{ delivery_id: slowId, fence: 1 }]);

  webhook.release();
  t.like(await ending, { settledCount: 1 });
  await untilAll(stage, 'delivered');
  t.is(webhook.deliveries().length, 7);
  t.is(new Set(idsOf(webhook.deliveries())).size, 7);
  const conversation = webhook.deliveries().map(numberOf);
  const ofSlow = [conversation[0]!, ...conversation.slice(5)];
  t.deepEqual(
    ofSlow,
    ofSlow.toSorted((a, b) => a - b),
  );
  t.deepEqual(await handedOver(stage), []);
});

test('a failure after the hand-over enters the retry schedule once', async (t) => {
  const stage = await pumpStage(t);
  const { webhook, pool } = stage;
  const ids = await acceptedItems(pool, 2);
  webhook.set({ answers: [{ ...slow, status: 503 }] });
  const first = stage.startPump({ attemptTimeoutMs });
  await webhook.waitForDeliveries(1);
  const ending = first.stop();
  const second = stage.startPump({ attemptTimeoutMs });
  await acceptedItems(pool, 1, () => 2);
  await webhook.waitForDeliveries(2);
  webhook.release();
  t.like(await ending, { promotedCount: 1 });
  t.deepEqual(first.promoted, ids.slice(0, 1));
  await eventually(async () => (await statusesOf(stage)).join() === 'retrying,pending,delivered');
  t.deepEqual(await handedOver(stage), []);
  await second.stop();
  t.is(webhook.deliveries().length, 2);
});

test('an overdue request of a dead pump is sent again', async (t) => {
  const stage = await pumpStage(t);
  const { webhook, pool } = stage;
  await acceptedItems(pool, 2);
  webhook.set({ answers: [slow] });
  const first = stage.startPump({ attemptTimeoutMs });
  await webhook.waitForDeliveries(1);
  void first.stop();
  await eventually(async () => (await handedOver(stage)).length === 1);
  stage.startPump({ attemptTimeoutMs });
  await stage.db('handed_over_deliveries').update({ until_at: new Date(0) });
  await webhook.waitForDeliveries(3);
  await eventually(async () => (await statusesOf(stage)).join() === 'delivered,delivered');
  const [sent, again] = idsOf(webhook.deliveries());
  t.is(again, sent);
  webhook.release();
});

test('several hand-overs in a row keep the first publication', async (t) => {
  const stage = await pumpStage(t);
  const { webhook, pool } = stage;
  const [slowId] = await acceptedItems(pool, 2);
  webhook.set({ answers: [slow, slow] });
  const first = stage.startPump({ attemptTimeoutMs });
  await webhook.waitForDeliveries(1);
  const endings = [first.stop()];
  const second = stage.startPump({ attemptTimeoutMs });
  const [otherId] = await acceptedItems(pool, 1, () => 2);
  await webhook.waitForDeliveries(2);
  endings.push(second.stop());
  stage.startPump({ attemptTimeoutMs });
  await acceptedItems(pool, 1, () => 3);
  await webhook.waitForDeliveries(3);
  t.deepEqual(await handedOver(stage), [
    { delivery_id: slowId, fence: 1 },
    { delivery_id: otherId, fence: 2 },
  ]);
  webhook.release();
  await Promise.all(endings);
  await untilAll(stage, 'delivered');
  t.is(webhook.deliveries().length, 4);
});
