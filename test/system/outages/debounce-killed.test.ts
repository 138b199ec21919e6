import test from 'ava';
import { tally, untilArrived, countArrivals } from '../../harness/system/arrivals.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 1_200, full: 8_000 });
const MAX_EVENTS = 5;
test('a worker killed twice loses no gathered event and keeps the order', async (t) => {
  t.timeout(patienceMs(count) * 2 + 240_000);
  const arrivals = await countArrivals(t, { isGathered: true });
  const { workers, channel, db, ...system } = await startSystem(t);
  const { id, resourceId } = await channel({ webhookUrl: arrivals.url });
  const debounce = { seconds: 1, maxEvents: MAX_EVENTS };
  await db('destinations')
    .where({ channel_id: id })
    .update({ options: JSON.stringify({ debounce }) });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });
  const kill = async (arrivedCount: number): Promise<void> => {
    await until(() => arrivals.distinct.size >= arrivedCount, { for: 'The middle of the burst' });
    await workers[0]!.crash();
  };

  await kill(count / 4);
  await kill(count / 2);
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) + 120_000 });

  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.like(counts, { acknowledged: count, lost: 0, delivered: count, disordered: 0 });
  t.true(arrivals.sizes.some((size) => size > 1));
  t.true(arrivals.sizes.every((size) => size <= MAX_EVENTS));
  t.true(
    [...arrivals.deliveryIds.values()].every((ids) => ids.size === 1),
    'a repeat bears the same delivery id',
  );
});
