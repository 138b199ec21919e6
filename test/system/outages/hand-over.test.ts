import test from 'ava';
import type { ReceivedRequest } from '../../../simulator/receiver/scripted-webhook.ts';
import { countArrivals, arriveOnce } from '../../harness/system/arrivals.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { patienceMs } from '../../harness/system/scale.ts';
import { untilShared } from '../../harness/system/shared-shards.ts';
import { steadyLoad } from '../../harness/system/steady-load.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const SLOW_CHANNELS = 4;
/** Longer than the deadline of an attempt. The test releases the answers before. */
const ANSWER_DELAY_MS = 100_000;

const deliveryId = ({ headers }: ReceivedRequest): string => String(headers['webhook-id']);

test('workers that join and stop repeat no request under way', async (t) => {
  t.timeout(patienceMs(0) * 4);
  const arrivals = await countArrivals(t);
  const env = { DELIVERY_TIMEOUT_MS: '12000', SHUTDOWN_GRACE_SECONDS: '120' };
  const { db, workers, channel, receiver, lines, ...system } = await startSystem(t, { workers: 3, env });
  const a = workers[0]!;
  const b = workers[1]!;
  const c = workers[2]!;
  await c.stop();
  await untilShared(db, [a.pid, b.pid]);
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const load = steadyLoad({ ...system, resourceId });
  const sender = await startSender(t, system);
  const hook = receiver.webhook('slow');
  hook.set({ then: { delayMs: ANSWER_DELAY_MS, status: 200 } });
  /** To receivers of their own, because a request that times out on a slow machine may open a circuit. */
  const sendSlow = async (): Promise<void> => {
    const slow = await Promise.all(Array.from({ length: SLOW_CHANNELS }, () => channel({ webhookUrl: hook.url })));
    const sent = new Set(hook.deliveries().map(deliveryId)).size + SLOW_CHANNELS;
    for (const each of slow) await sender.message(each, { from: '15550000001' });
    await until(() => new Set(hook.deliveries().map(deliveryId)).size >= sent, { for: 'The slow requests' });
  };

  await sendSlow();
  await c.start();
  await untilShared(db, [a.pid, b.pid, c.pid]);
  await sendSlow();
  const stopped = a.stop();
  await untilShared(db, [b.pid, c.pid]);
  await sendSlow();
  hook.release();
  t.deepEqual(await stopped, { code: 0, signal: null });
  await load.stop();
  await arriveOnce(t, { ...load, arrivals, lines });
  // A lease expires only if the machine stops a process for seconds.
  if (countLostLeases({ lines }) > 0) return;
  const attempts = hook.deliveries().map((request) => `${deliveryId(request)} ${request.headers['x-service-attempt']}`);
  t.is(new Set(attempts).size, attempts.length);
});
