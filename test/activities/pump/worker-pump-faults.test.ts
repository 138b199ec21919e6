import test from 'ava';
import { eventually } from '../../harness/eventually.ts';
import { accepted, anItem, acceptedItems, items } from '../../harness/deliveries/hot-ledger.ts';
import {
  aReceivingWebhook,
  HELD_MS,
  idsOf,
  pumpStage,
  statusesOf,
  untilAll,
} from '../../harness/deliveries/pump-stage.ts';
import { aChannel } from '../../harness/tenants.ts';

test('a pump without its lease records only accepted deliveries', async (t) => {
  const stage = await pumpStage(t);
  const { webhook, pool, db } = stage;
  await acceptedItems(pool, 2, (index) => index);
  webhook.set({
    answers: [
      { status: 200, delayMs: HELD_MS },
      { status: 500, delayMs: HELD_MS },
    ],
  });
  const pump = stage.startPump();
  await webhook.waitForDeliveries(2);
  await db('shard_leases').update({ holder: 'other', fence: 99 });
  await eventually(() => stage.log.lines.some(({ event }) => event === 'lease.lost'));
  await acceptedItems(pool, 1, () => 9);
  webhook.release();
  await pump.ended;

  t.is(webhook.deliveries().length, 2);
  t.deepEqual(await statusesOf(stage), ['delivered', 'pending', 'pending']);
  t.deepEqual(pump.promoted, []);
});

test('a second pump of a shard waits for the first', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 1);
  stage.webhook.set({ answers: [{ delayMs: HELD_MS }] });
  const first = stage.startPump({ holder: 'worker' });
  await stage.webhook.waitForDeliveries(1);
  const second = stage.startPump({ holder: 'worker' });
  stage.webhook.release();
  await first.stop();
  await acceptedItems(stage.pool, 1);
  await untilAll(stage, 'delivered');
  await second.stop();
  t.is(stage.webhook.deliveries().length, 2);
  t.is(new Set(idsOf(stage.webhook.deliveries())).size, 2);
});

test('a row with an internal error waits while others are sent', async (t) => {
  const stage = await pumpStage(t);
  const other = await aChannel(stage.db, stage.tenant.workspace, { resourceId: 'res-2' });
  const { webhook } = await aReceivingWebhook(stage, other, stage.receiver.webhook('other'));
  await stage.db('webhook_secrets').where({ channel_id: stage.channel.id }).update({ secret_encrypted: 'v1.lost.x.y' });
  await accepted(stage.pool, [...items(2), anItem({ resourceId: 'res-2' })]);
  stage.startPump();
  await webhook.waitForDeliveries(1);
  await eventually(() => stage.log.lines.some(({ level }) => level === 'error'));
  t.deepEqual((await statusesOf(stage)).slice(0, 2), ['pending', 'pending']);
  t.deepEqual(stage.webhook.deliveries(), []);
});

test('dropped database connections neither lose nor repeat deliveries', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 300, (index) => index % 20);
  stage.webhook.set({ then: { delayMs: 5 } });
  stage.startPump();
  for (const count of [40, 120, 200]) {
    await stage.webhook.waitForDeliveries(count);
    await stage.db.raw(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name not like 'test%'`);
  }
  await untilAll(stage, 'delivered');
  const received = idsOf(stage.webhook.deliveries());
  t.is(new Set(received).size, 300);
  t.is(received.length, 300);
});

test('a change during a lost connection reaches the deliveries in memory', async (t) => {
  const { db, pool, wake, destination, sendDelivery, startPump } = await pumpStage(t);
  const first = Promise.withResolvers<void>();
  const urls: string[] = [];
  await acceptedItems(pool, 3);
  startPump({
    async sendDelivery(row, number, permit) {
      urls.push(row.url);
      if (urls.length === 1) await first.promise;
      return await sendDelivery(row, number, permit);
    },
  });
  await eventually(() => urls.length === 1);
  const reconnected = Promise.withResolvers<void>();
  t.teardown(wake.subscribe((_, change) => change === 'unknown' && reconnected.resolve()));
  await db.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'service-wake'",
  );
  const changedUrl = `${urls[0]}?changed`;
  await db('destinations').where({ id: destination.id }).update({ url: changedUrl });
  await reconnected.promise;
  first.resolve();
  await eventually(() => urls.length === 3);
  t.deepEqual(urls.slice(1), [changedUrl, changedUrl]);
});
