import test from 'ava';
import { countArrivals, tally, untilArrived } from './arrivals.ts';
import { publishBurst } from './publish.ts';
import { patienceMs, sized } from './scale.ts';
import { startSystem } from './system.ts';
import { until } from './until.ts';

const count = sized({ quick: 3_000, full: 20_000 });

test('a worker and an API that are asked to stop in the middle of a burst repeat nothing, lose nothing and end well', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const { apis, workers, channel, ...system } = await startSystem(t);
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });

  await until(() => arrivals.distinct.size >= count / 4, { for: 'The middle of the burst', timeoutMs: 60_000 });
  t.deepEqual(await workers[0]!.stop(), { code: 0, signal: null });
  await workers[0]!.start();
  await until(() => burst.acknowledged.length >= count / 2, { for: 'The middle of the burst', timeoutMs: 60_000 });
  const startedAtMs = performance.now();
  t.deepEqual(await apis[0]!.stop(), { code: 0, signal: null });
  t.log(`the API took ${Math.round(performance.now() - startedAtMs)} ms to stop`);
  await apis[0]!.start();
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });

  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.is(counts.acknowledged, count);
  t.is(counts.lost, 0);
  t.is(counts.delivered, count);
  t.is(counts.repeated, 0);
  t.is(counts.disordered, 0);
});
