import test from 'ava';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 4_000, full: 20_000 });
/** Concurrent attempts per destination: what a killed worker may have sent and not stored. */
const IN_FLIGHT = 64;

test('a worker killed twice loses no acknowledged event and keeps the order', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const { workers, channel, ...system } = await startSystem(t, { env: { DESTINATION_IN_FLIGHT: String(IN_FLIGHT) } });
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });
  const kill = async (arrivedCount: number): Promise<void> => {
    await until(() => arrivals.distinct.size >= arrivedCount, { for: 'The middle of the burst' });
    await workers[0]!.kill9();
    await workers[0]!.start();
  };

  await kill(count / 4);
  await kill(count / 2);
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });

  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.is(counts.acknowledged, count);
  t.is(counts.lost, 0);
  t.is(counts.delivered, count);
  t.is(counts.disordered, 0);
  t.true(counts.repeated <= (2 + countLostLeases(system)) * IN_FLIGHT, `${counts.repeated} repeated`);
  t.true(
    [...arrivals.deliveryIds.values()].every((ids) => ids.size === 1),
    'a repeat bears the same delivery id',
  );
});
