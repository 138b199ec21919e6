import test from 'ava';
import { NotSent, type SendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import { eventually } from '../../harness/eventually.ts';
import { accepted, acceptedItems, items } from '../../harness/deliveries/hot-ledger.ts';
import { HELD_MS, pumpStage, statusesOf, untilAll } from '../../harness/deliveries/pump-stage.ts';

const byConversation = (count: number) => items(count, (index) => index);

test('deliveries that wait for a connection stay pending when the pump ends', async (t) => {
  const stage = await pumpStage(t, { connections: 1 });
  await accepted(stage.pool, byConversation(4));
  stage.webhook.set({ answers: [{ delayMs: HELD_MS }] });
  const pump = stage.startPump();
  await stage.webhook.waitForDeliveries(1);
  await eventually(() => stage.egress.stats().waiting > 0);
  const ended = pump.stop();
  await eventually(() => stage.egress.stats().waiting === 0);
  stage.webhook.release();
  await ended;

  t.deepEqual(await statusesOf(stage), ['delivered', 'pending', 'pending', 'pending']);
  const { rows } = await stage.pool.query('select outcome, count(*) from attempts group by outcome');
  t.deepEqual(rows, [{ outcome: 'accepted', count: 1 }]);
  t.false(stage.log.lines.some(({ event }) => event === 'delivery.sendFailed'));

  stage.startPump();
  await untilAll(stage, 'delivered');
  t.is(stage.webhook.deliveries().length, 4);
});

test('deliveries that wait for a connection cost no attempt', async (t) => {
  const stage = await pumpStage(t, { connections: 1 });
  await accepted(stage.pool, byConversation(8));
  stage.webhook.set({ answers: [{ delayMs: HELD_MS }] });
  stage.startPump();
  await stage.webhook.waitForDeliveries(1); // or the release would come before the request
  await eventually(() => stage.egress.stats().waiting > 0);
  const releasedAtMs = Date.now();
  stage.webhook.release();
  await untilAll(stage, 'delivered');

  const { rows } = await stage.pool.query<{ started_at: Date }>('select started_at from attempts order by started_at');
  t.is(rows.length, 8);
  for (const { started_at } of rows.slice(1)) t.true(started_at.getTime() >= releasedAtMs);
});

test('a delivery that lost its permit is sent before those behind it', async (t) => {
  const stage = await pumpStage(t);
  const ids = await acceptedItems(stage.pool, 3, (index) => (index < 2 ? 1 : 2));
  const started: number[] = [];
  const sendDelivery: SendDelivery = async (delivery, ...rest) => {
    started.push(delivery.id);
    if (started.length === 1) throw new NotSent('withdrawn');
    return await stage.sendDelivery(delivery, ...rest);
  };
  stage.startPump({ sendDelivery });
  await untilAll(stage, 'delivered');
  const ofConversation = started.filter((id) => id !== ids[2]);
  t.deepEqual(ofConversation, [ids[0], ids[0], ids[1]]);
});
