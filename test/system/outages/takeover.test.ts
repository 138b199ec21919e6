import test from 'ava';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 2_000, full: 20_000 });
const IN_FLIGHT = 64;

test('the surviving worker delivers everything after the other is killed', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const env = { DESTINATION_IN_FLIGHT: String(IN_FLIGHT) };
  const { workers, channel, db, ...system } = await startSystem(t, { workers: 2, env });
  // A worker without a shard would prove nothing.
  const channels = await Promise.all([1, 2, 3].map(() => channel({ webhookUrl: arrivals.url })));
  const burst = publishBurst({ ...system, resourceIds: channels.map(({ resourceId }) => resourceId), count });
  await until(() => arrivals.distinct.size >= count / 4, { for: 'The middle of the burst' });
  const { rows } = await db.raw(
    `select l.holder from shard_leases l join destinations d using (shard) order by d.id limit 1`,
  );
  const [host, pid] = String(rows[0].holder).split('/');
  t.log(`killing the worker ${pid} of ${host}`);
  await workers.find((worker) => String(worker.pid) === pid)!.kill9();
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: patienceMs(count) });

  const counts = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.is(counts.lost, 0);
  t.is(counts.delivered, count);
  t.is(counts.disordered, 0);
  t.true(counts.repeated <= (channels.length + countLostLeases(system)) * IN_FLIGHT, `${counts.repeated} repeated`);
});
