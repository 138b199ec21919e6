import test from 'ava';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { loseDatabase } from '../../harness/system/lose-database.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 3_000, full: 20_000 });
const CUTS = 3;
/** Maximum repeats per cut: answers not stored before the shard changed owner. */
const IN_FLIGHT = 64;

test('dropped database connections lose no acknowledged event', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const { channel, db, ...system } = await startSystem(t, { env: { DESTINATION_IN_FLIGHT: String(IN_FLIGHT) } });
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });

  for (let cut = 1; cut <= CUTS; cut++) {
    const middle = (count * cut) / (CUTS + 1);
    await until(() => arrivals.distinct.size >= middle, { for: 'The middle of the burst' });
    t.true((await loseDatabase(db)) > 0);
  }
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });

  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.is(counts.acknowledged, count);
  t.is(counts.lost, 0);
  t.is(counts.delivered, count);
  t.is(counts.disordered, 0);
  t.true(counts.repeated <= (CUTS + countLostLeases(system)) * IN_FLIGHT, `${counts.repeated} repeated`);
});
