import test from 'ava';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { patienceMs } from '../../harness/system/scale.ts';
import { untilShared } from '../../harness/system/shared-shards.ts';
import { steadyLoad } from '../../harness/system/steady-load.ts';
import { startSystem } from '../../harness/system/system.ts';

const SLOW_CHANNELS = 4;
/** Longer than the deadline of an attempt. The test releases the answers before. */
const ANSWER_DELAY_MS = 100_000;

test('workers that join and stop repeat no request under way', async (t) => {
  t.timeout(patienceMs(0) * 4);
  const arrivals = await countArrivals(t);
  const env = { DELIVERY_TIMEOUT_MS: '60000', SHUTDOWN_GRACE_SECONDS: '120' };
  const { db, workers, channel, receiver, lines, ...system } = await startSystem(t, { workers: 3, env });
  const [a, b, c] = [workers[0]!, workers[1]!, workers[2]!];
  await c.stop();
  await untilShared(db, [a.pid, b.pid]);
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const load = steadyLoad({ ...system, resourceId });
  const sender = await startSender(t, system);
  const hook = receiver.webhook('slow');
  hook.set({ then: { delayMs: ANSWER_DELAY_MS, status: 200 } });
  const slow = await Promise.all(Array.from({ length: SLOW_CHANNELS }, () => channel({ webhookUrl: hook.url })));
  const sendSlow = async (from: string): Promise<void> => {
    const before = hook.deliveries().length;
    for (const each of slow) await sender.message(each, { from });
    await hook.waitForDeliveries(before + SLOW_CHANNELS);
  };

  await sendSlow('15550000001');
  await c.start();
  await untilShared(db, [a.pid, b.pid, c.pid]);
  await sendSlow('15550000002');
  const stopped = a.stop();
  await untilShared(db, [b.pid, c.pid]);
  await sendSlow('15550000003');
  hook.release();
  t.deepEqual(await stopped, { code: 0, signal: null });
  await load.stop();
  await untilArrived(arrivals, { messageIds: load.acknowledged, timeoutMs: patienceMs(load.acknowledged.length) });

  const counts = tally(t, { acknowledged: load.acknowledged, arrivals });
  t.is(counts.lost, 0);
  // A lease expires only if the machine stops a process for seconds.
  if (lines.some((line) => line.includes('"lease.lost"'))) return;
  t.is(counts.repeated, 0);
  const attempts = hook.deliveries().map(({ headers }) => `${headers['webhook-id']} ${headers['x-service-attempt']}`);
  t.is(new Set(attempts).size, attempts.length);
});
