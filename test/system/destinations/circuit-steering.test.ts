import test, { type ExecutionContext } from 'ava';
import { destinationCircuitWorkflowId } from '../../../contract/ids.ts';
import { retryDelivery, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';
import { untilWorkflow, type WorkflowView } from '../../harness/system/workflow-view.ts';
import { subscribedTo } from '../../harness/system/connected.ts';

/** The receiver asked for an hour's pause. Two deliveries are pending. */
async function paused(t: ExecutionContext) {
  const stage = await subscribedTo(t, await sharedSystem(t));
  const { api, connected, db, first, sender, subscriptionId, temporal } = stage;
  first.set({ then: { status: 503, headers: { 'retry-after': '3600' } } });
  await sender.message(connected);
  const circuit = async () =>
    (await db('destinations').where({ channel_id: connected.id, type: 'subscription' }).first('circuit')).circuit;
  await until(async () => (await circuit()) === 'open', { for: 'The circuit to open' });
  await sender.message(connected);
  await untilStatuses(api, { channel: connected, statuses: ['pending', 'pending'] });
  const shown = async () => (await api.call(`GET /deliveries?scope=channel:${connected.publicId}`)).body.deliveries;
  const isRunning = ({ status }: WorkflowView): boolean => status === 'RUNNING';
  await untilWorkflow(temporal, destinationCircuitWorkflowId(subscriptionId), isRunning);
  return { ...stage, shown, circuit };
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
