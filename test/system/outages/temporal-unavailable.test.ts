import test, { type ExecutionContext } from 'ava';
import type { ApiClient } from '../../harness/system/api-client.ts';
import { type Arrivals, countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { strangeLines } from '../../harness/system/captured-log.ts';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';
import { ownTemporal } from '../../harness/system/own-temporal.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { EVENTS_PER_SECOND, steadyLoad, type SteadyLoad } from '../../harness/system/steady-load.ts';
import { startSystem, type ConnectedChannel, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

/** Longer than the heartbeat timeout plus 5 s, when the SDK gives up activities that can't heartbeat. */
const awayMs = sized({ quick: 14_000, full: 60_000 });
/** Failing deliveries before the outage and again during it. */
const FAILING = 4;
/** The first retry is due during the outage: only a workflow's timer or adoption can send it afterwards. */
const RETRY_SCHEDULE_SECONDS = [3, ...Array<number>(300).fill(1)].join();
const DOWN = { status: 503 };

test('the service delivers events while Temporal is down and recovers afterwards', async (t) => {
  t.timeout(patienceMs(0) * 3 + awayMs);
  const arrivals = await countArrivals(t);
  const temporalServer = await ownTemporal(t);
  const env = { RETRY_SCHEDULE_SECONDS, CIRCUIT_PROBE_SECONDS: '1' };
  const system = await startSystem(t, { env, temporalAddress: temporalServer.address });
  const { api, channel, receiver } = system;
  const sender = await startSender(t, system);
  const healthy = await channel({ webhookUrl: arrivals.url });
  const hook = receiver.webhook('shaky');
  hook.set({ verifyToken: 'token', then: DOWN });
  const shaky = await channel({ webhookUrl: hook.url });
  const sendFailing = async (first: number): Promise<void> => {
    for (let n = first; n < first + FAILING; n++) await sender.message(shaky, { from: `1555000${n}` });
  };
  const load = steadyLoad({ ...system, resourceId: healthy.resourceId });
  await sendFailing(0);
  await untilFailing(api, shaky);

  await temporalServer.kill9();
  await sendFailing(FAILING);
  hook.set({ then: null });
  await refuseChanges(t, system, { channel: shaky, webhookUrl: `${hook.url}?new` });
  await outlast(t, { load, arrivals });

  await temporalServer.start();
  await load.stop();
  await untilArrived(arrivals, { messageIds: load.acknowledged, timeoutMs: patienceMs(load.acknowledged.length) });
  await untilStatuses(api, {
    channel: shaky,
    statuses: Array<string>(FAILING * 2).fill('delivered'),
  });

  const counts = tally(t, { acknowledged: load.acknowledged, arrivals });
  t.is(counts.lost, 0);
  t.is(counts.disordered, 0);
  t.is((await api.call(`GET /webhook-config/${shaky.publicId}`)).body.webhookUrl, hook.url);
  const probes = hook.requests().filter(({ isProbe }) => isProbe);
  t.deepEqual(probes, [], 'the refused save is not made up for later');
  t.deepEqual(strangeLines(system.lines), []);
});

/** Waits until each delivery has failed or waits for the circuit of those that have. */
async function untilFailing(api: ApiClient, { publicId }: ConnectedChannel): Promise<void> {
  const isFailing = async (): Promise<boolean> => {
    const { body } = await api.callUntilDone(`GET /deliveries?scope=channel:${publicId}`);
    const statuses: string[] = body.deliveries.map(({ status }: { status: string }) => status);
    return statuses.length === FAILING && statuses.includes('retrying') && !statuses.includes('delivered');
  };
  await until(isFailing, { for: 'The failing deliveries' });
}

interface Change {
  readonly channel: ConnectedChannel;
  readonly webhookUrl: string;
}

async function refuseChanges(t: ExecutionContext, system: System, change: Change): Promise<void> {
  await refuseSave(t, system, change);
  await refuseRotation(t, system, change);
}

async function refuseSave(t: ExecutionContext, { api }: System, change: Change): Promise<void> {
  const { webhookUrl, channel } = change;
  const { publicId } = channel;
  const before = await api.call(`GET /webhook-config/${publicId}`);
  const refused = await api.call(`PUT /webhook-config/${publicId}`, { webhookUrl, verifyToken: 'token' });
  t.is(refused.status, 503, JSON.stringify(refused.body));
  t.is(refused.body.code, 'WORKFLOW_UNAVAILABLE');
  t.true(Number(refused.headers.get('retry-after')) > 0);
  t.deepEqual((await api.call(`GET /webhook-config/${publicId}`)).body, before.body);
}

async function refuseRotation(t: ExecutionContext, { api, db }: System, { channel }: Change): Promise<void> {
  const path = `/platform/channels/${channel.publicId}/token`;
  const before = await api.call(`GET ${path}`);
  t.is(before.status, 200, 'the API creates a token without Temporal');
  const refused = await api.call(`POST ${path}/rotate`, { overlapSeconds: 0 });
  t.is(refused.status, 503, JSON.stringify(refused.body));
  t.is(refused.body.code, 'WORKFLOW_UNAVAILABLE');
  t.true(Number(refused.headers.get('retry-after')) > 0);
  t.deepEqual((await api.call(`GET ${path}`)).body, before.body);
  t.deepEqual(
    await db('channel_token_rotations').pluck('status'),
    ['abandoned'],
    'the refused request is not made up for later',
  );
}

async function outlast(
  t: ExecutionContext,
  { load, arrivals }: { load: SteadyLoad; arrivals: Arrivals },
): Promise<void> {
  const from = load.acknowledged.length;
  const startedAtMs = performance.now();
  await until(() => performance.now() - startedAtMs > awayMs, { for: 'The end of the outage', timeoutMs: awayMs * 2 });
  const acknowledgedCount = () => load.acknowledged.length - from;
  const leastCount = (awayMs / 1000) * EVENTS_PER_SECOND * 0.2;
  await until(() => acknowledgedCount() > leastCount, { for: 'The load without Temporal', detail: acknowledgedCount });
  const acknowledged = load.acknowledged.slice(from);
  const arrivedCount = () => acknowledged.filter((id) => arrivals.distinct.has(id)).length;
  await until(() => arrivedCount() > acknowledged.length * 0.9, {
    for: 'Healthy deliveries without Temporal',
    detail: arrivedCount,
  });
  t.log(`in ${awayMs / 1000} s without Temporal: acknowledged ${acknowledged.length}, delivered ${arrivedCount()}`);
  // Some more than none, because a busy machine may answer late.
  t.true(load.refusedCount() <= acknowledged.length * 0.05, `${load.refusedCount()} events were not answered 200`);
}
