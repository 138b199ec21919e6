import test from 'ava';
import { createShortRetries } from '../../../activities/pump/short-retries.ts';
import type { ReleaseRequest } from '../../../db/ledger/release-due-retries.ts';
import { acceptedItems } from '../../harness/deliveries/hot-ledger.ts';
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

test('retries are released only under a valid lease', async (t) => {
  const asked: number[][] = [];
  const releaseDueRetries = async ({ leases }: ReleaseRequest) => {
    if (leases.length > 0) asked.push(leases.map(({ shard }) => shard));
    return { counts: new Map(leases.length > 0 ? [[2, 1]] : []), isCut: false, nextInMs: null };
  };
  const released: number[] = [];
  let isValid = false;
  let lookCount = 0;
  const retries = createShortRetries({
    ledger: { releaseDueRetries },
    leases() {
      lookCount++;
      return isValid ? [1, 2].map((shard) => ({ shard, fence: 1 })) : [];
    },
    onReleased: (shards) => void released.push(...shards),
    log: rememberingLog(),
  });
  t.teardown(retries.close);
  retries.expect();
  await eventually(() => lookCount > 0);
  t.deepEqual(asked, []);
  isValid = true;
  retries.expect();
  await eventually(() => released.length > 0);
  t.deepEqual([asked[0], released[0]], [[1, 2], 2]);
});
