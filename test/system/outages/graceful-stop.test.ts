import test from 'ava';
import { freePort } from '../../../dev/processes/ports.ts';
import { countArrivals, arriveOnce } from '../../harness/system/arrivals.ts';
import { retryDelivery, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { ownTemporal } from '../../harness/system/own-temporal.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { connectedWith } from '../../harness/system/connected.ts';

const count = sized({ quick: 3_000, full: 20_000 });

test('a graceful stop of worker and API repeats and loses nothing', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const { apis, workers, channel, ...system } = await startSystem(t);
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count });

  await until(() => arrivals.distinct.size >= count / 4, { for: 'The middle of the burst' });
  t.deepEqual(await workers[0]!.stop(), { code: 0, signal: null });
  await workers[0]!.start();
  await until(() => burst.acknowledged.length >= count / 2, { for: 'The middle of the burst' });
  const startedAtMs = performance.now();
  t.deepEqual(await apis[0]!.stop(), { code: 0, signal: null });
  t.log(`the API took ${Math.round(performance.now() - startedAtMs)} ms to stop`);
  await apis[0]!.start();
  await burst.done;
  t.is(burst.acknowledged.length, count);
  await arriveOnce(t, { ...system, ...burst, arrivals });
});

test('a stopping worker waits for answers to first and later attempts', async (t) => {
  const metricsPort = await freePort();
  const env = {
    RETRY_SCHEDULE_SECONDS: '600',
    WORKER_METRICS_PORT: String(metricsPort),
    DELIVERY_TIMEOUT_MS: '12000',
  };
  const system = await startSystem(t, { env });
  const readiness = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status;
  await until(async () => (await readiness()) === 200, { for: 'The worker to be ready' });
  // Half of the timeout of an attempt. The test releases the answers before.
  const slow = { status: 200, delayMs: 6_000 };
  const script = { answers: [{ status: 503 }], then: slow };
  const { api, connected, hook, sender, workers } = await connectedWith(t, system, script);
  await sender.message(connected, { from: '15550000000' });
  const [failed = ''] = await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
  await retryDelivery(api, failed);
  for (const from of ['15550000001', '15550000002', '15550000003']) await sender.message(connected, { from });
  await hook.waitForDeliveries(5);

  const stopped = workers[0]!.stop();
  await until(async () => (await readiness()) === 503, { for: 'The worker to say that it is not ready' });
  hook.release();
  t.deepEqual(await stopped, { code: 0, signal: null });

  const { body } = await api.call(`GET /deliveries?scope=channel:${connected.publicId}`);
  t.deepEqual(
    body.deliveries.map(({ status }: { status: string }) => status),
    ['delivered', 'delivered', 'delivered', 'delivered'],
  );
  t.is(hook.deliveries().length, 5);
});

test('a worker and an API stop gracefully while Temporal is down', async (t) => {
  const arrivals = await countArrivals(t);
  const temporalServer = await ownTemporal(t);
  const { apis, channel, workers, ...system } = await startSystem(t, { temporalAddress: temporalServer.address });
  const sender = await startSender(t, system);
  const connected = await channel({ webhookUrl: arrivals.url });
  await sender.message(connected);
  await until(() => arrivals.messageIds.length >= 1, { for: 'A delivery while Temporal is there' });

  await temporalServer.kill9();
  await sender.message(connected);
  await until(() => arrivals.messageIds.length >= 2, { for: 'A delivery while Temporal is away' });

  t.deepEqual(await workers[0]!.stop(), { code: 0, signal: null });
  t.deepEqual(await apis[0]!.stop(), { code: 0, signal: null });
});
