import test, { type ExecutionContext } from 'ava';
import { destinationCircuitWorkflowId } from '../../../contract/ids.ts';
import { retryDelivery, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';

/** The receiver asked for an hour's pause. Two deliveries are pending. */
async function paused(t: ExecutionContext) {
  const { api, channel, receiver, temporal, db, ...system } = await sharedSystem(t);
  const sender = await startSender(t, system);
  const connected = await channel();
  const [first, second] = [receiver.webhook('first'), receiver.webhook('second')];
  const { body: hmac } = await api.call(`GET /webhook-config/${connected.publicId}/hmac`);
  for (const hook of [first, second]) hook.set({ secret: hmac.hmacSecret });
  first.set({ then: { status: 503, headers: { 'retry-after': '3600' } } });
  const list = `/channels/${connected.publicId}/subscriptions`;
  const created = await api.callUntilDone(`POST ${list}`, { url: first.url, events: ['chatapp.message.received'] });
  const { subscriptionId } = created.body.subscription;
  await sender.message(connected);
  const circuit = async () =>
    (await db('destinations').where({ channel_id: connected.id, type: 'subscription' }).first('circuit')).circuit;
  await until(async () => (await circuit()) === 'open', { for: 'The circuit to open' });
  await sender.message(connected);
  await untilStatuses(api, { channel: connected, statuses: ['pending', 'pending'] });
  const shown = async () => (await api.call(`GET /deliveries?scope=channel:${connected.publicId}`)).body.deliveries;
  const handle = temporal.workflow.getHandle(destinationCircuitWorkflowId(subscriptionId));
  const run = async () => (await handle.describe().catch(() => undefined)) ?? undefined;
  await until(async () => (await run())?.status.name === 'RUNNING', { for: 'The workflow' });
  return { api, first, second, shown, circuit, handle, run, connected, route: `${list}/${subscriptionId}` };
}

test('a paused subscription with a new URL is probed immediately', async (t) => {
  const { api, second, shown, route, circuit } = await paused(t);
  for (const { nextAttemptAt, waitsForCircuit } of await shown()) {
    t.is(waitsForCircuit.reason, 'retry_after');
    t.is(nextAttemptAt, waitsForCircuit.nextProbeAt);
    t.true(Date.parse(nextAttemptAt) > Date.now() + 3_000_000);
  }
  t.is((await api.callUntilDone(`PATCH ${route}`, { url: second.url })).status, 200);
  await second.waitForDeliveries(2);
  await until(async () => (await circuit()) === 'closed', { for: 'The circuit to close' });
});

test('a retry during a long pause sends all pending deliveries', async (t) => {
  const { api, first, shown, connected } = await paused(t);
  first.set({ then: null });
  const [{ deliveryId }] = await shown();
  await retryDelivery(api, deliveryId);
  const ids = await untilStatuses(api, { channel: connected, statuses: ['delivered', 'delivered'] });
  const received = new Set(first.deliveries().map(({ headers }) => headers['webhook-id']));
  t.true(ids.every((id) => received.has(id)));
});

test("the service replaces a paused circuit's terminated workflow", async (t) => {
  const { first, shown, handle, run } = await paused(t);
  const before = await run();
  const count = first.deliveries().length;
  await handle.terminate('by hand');
  const isAdopted = async () => {
    const now = await run();
    return now?.status.name === 'RUNNING' && now.runId !== before?.runId;
  };
  await until(isAdopted, { for: 'A new run' });
  t.is(first.deliveries().length, count, 'the pause continues');
  t.is((await shown()).length, 2);
});
