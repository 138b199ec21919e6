import test from 'ava';
import { createShortRetries } from '../../../activities/pump/short-retries.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { deliveryRows, acceptedItems } from '../../harness/deliveries/hot-ledger.ts';
import { pumpStage, statusesOf, untilAll } from '../../harness/deliveries/pump-stage.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const scheduleMs = [1, 1, 60_000];

test('the pump makes the first two retries without a workflow', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 3, (index) => index);
  stage.webhook.set({ answers: Array.from({ length: 4 }, () => ({ status: 500 })) });
  const pump = stage.startPump({ scheduleMs });
  await untilAll(stage, 'delivered');
  t.deepEqual(pump.promoted, []);
  t.is(stage.webhook.deliveries().length, 7);
});

test('the third failure of a delivery starts its workflow', async (t) => {
  const stage = await pumpStage(t);
  const ids = await acceptedItems(stage.pool, 1);
  stage.webhook.set({ then: { status: 500 } });
  const pump = stage.startPump({ scheduleMs });
  await eventually(() => pump.promoted.length === 1);
  t.deepEqual(pump.promoted, ids);
  t.like((await deliveryRows(stage.pool))[0], { status: 'retrying', attempt_count: 3, failed_in_schedule: 3 });
});

test('a dead receiver of two conversations opens its circuit', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 6, (index) => index % 2);
  stage.webhook.set({ then: { status: 500 } });
  const pump = stage.startPump({ scheduleMs });
  await eventually(() => pump.signalledIds.length > 0);
  t.deepEqual(pump.signalledIds, [stage.destination.id]);
  t.like(await stage.db('destinations').where({ id: stage.destination.id }).first(), { circuit: 'open' });
  const tried = (await deliveryRows(stage.pool)).filter(({ attempt_count }) => attempt_count > 0);
  t.is(tried.length, 2);
});

test('deliveries behind a short retry follow in order', async (t) => {
  const stage = await pumpStage(t);
  const ids = await acceptedItems(stage.pool, 4, () => 1);
  stage.webhook.set({ answers: [{ status: 500 }, { status: 500 }] });
  stage.startPump({ scheduleMs });
  await untilAll(stage, 'delivered');
  const { rows } = await stage.pool.query<{ delivery_id: number }>(
    'select delivery_id from attempts order by started_at, delivery_id, number',
  );
  t.deepEqual(
    rows.map((row) => row.delivery_id),
    [ids[0], ids[0], ...ids],
  );
});

test('another pump makes the retries that a stopped pump left', async (t) => {
  const stage = await pumpStage(t);
  await acceptedItems(stage.pool, 2, (index) => index);
  stage.webhook.set({ answers: [{ status: 500 }, { status: 500 }] });
  const first = stage.startPump({ scheduleMs: [100_000] });
  await eventually(async () => (await statusesOf(stage)).join() === 'retrying,retrying');
  await first.stop();
  await stage.db('deliveries').update({ next_attempt_at: stage.db.fn.now() });
  const second = stage.startPump({ scheduleMs });
  await untilAll(stage, 'delivered');
  t.deepEqual([first.promoted, second.promoted], [[], []]);
});

test('the pumps of a process share the statements that release retries', async (t) => {
  const released = Promise.withResolvers<void>();
  const firstAnswer = Promise.withResolvers<void>();
  const asked: number[][] = [];
  const query = async ({ values: [shards] }: { values: [number[]] }) => {
    asked.push(shards);
    if (asked.length === 1) await firstAnswer.promise;
    return { rows: shards.map((shard) => ({ shard, count: shard === 2 ? 1 : 0, next_in_ms: null })) };
  };
  const retries = createShortRetries({ pool: { query } as unknown as HotPool, log: rememberingLog() });
  const calls: number[] = [];
  const serve = (shard: number, isValid = true) => {
    const lease = { fence: 1, isValid: () => isValid };
    const onReleased = () => {
      calls.push(shard);
      released.resolve();
    };
    return retries.serve({ shard, lease, onReleased });
  };

  const served = [serve(0), serve(1), serve(3, false)];
  await eventually(() => asked.length === 1);
  served.push(serve(2));
  firstAnswer.resolve();
  await released.promise;
  for (const shard of served) shard.close();
  t.deepEqual(asked, [
    [0, 1],
    [0, 1, 2],
  ]);
  t.deepEqual(calls, [2]);
});
