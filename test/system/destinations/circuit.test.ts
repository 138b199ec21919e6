import test, { type ExecutionContext } from 'ava';
import { destinationCircuitWorkflowId } from '../../../contract/ids.ts';
import { circuitProgress, probeNow } from '../../../workflows/messages/messages.ts';
import { countArrivals, tally, untilArrived, arriveOnce } from '../../harness/system/arrivals.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { setRetrySchedule } from '../../harness/system/delivery-watch.ts';
import { type SharedSystem, sharedSystem } from '../../harness/system/shared-system.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const EVENTS = 400;

async function withReceiverDown<S extends SharedSystem | System>(t: ExecutionContext, system: S) {
  const receiver = { isDown: true, requestCount: 0 };
  const arrivals = await countArrivals(t, {
    answerTo() {
      receiver.requestCount++;
      return receiver.isDown ? { status: 503 } : undefined;
    },
  });
  const connected = await system.channel({ webhookUrl: arrivals.url });
  await setRetrySchedule(system.api, { channel: connected, steps: [1, 600] });
  const burst = publishBurst({ ...system, resourceIds: [connected.resourceId], count: EVENTS, lanes: 20 });
  await burst.done;
  const handle = system.temporal.workflow.getHandle(destinationCircuitWorkflowId(`webhook-${connected.publicId}`));
  const destination = () => system.db('destinations').where({ channel_id: connected.id, type: 'webhook' });
  const circuit = async () => (await destination().first('circuit')).circuit;
  await until(async () => (await circuit()) === 'open', { for: 'The circuit to open' });
  const { acknowledged } = burst;
  const untilAllArrived = () => untilArrived(arrivals, { messageIds: acknowledged, timeoutMs: 240_000 });
  return { ...system, receiver, arrivals, acknowledged, untilAllArrived, handle, destination, circuit };
}

async function countRunningWorkflows({ temporal }: Pick<System, 'temporal'>): Promise<number> {
  return (await temporal.workflow.count(`WorkflowType in ('deliverWebhook', 'destinationCircuit')`)).count;
}

test('an unavailable receiver causes one workflow and recovers in order', async (t) => {
  const { receiver, arrivals, acknowledged, temporal, handle, ...system } = await withReceiverDown(
    t,
    await startSystem(t, { env: { CIRCUIT_PROBE_SECONDS: '1,2' } }),
  );
  const probesMade = async () => (await handle.query(circuitProgress).catch(() => undefined))?.probesMade ?? 0;
  await until(async () => (await probesMade()) >= 2, { for: 'The second probe' });
  const { requestCount } = receiver;
  const probeCount = await probesMade(); // Some more on a busy machine.
  t.true(requestCount < 20 + probeCount, `${requestCount} requests were made to a receiver that is down`);
  receiver.isDown = false;
  await arriveOnce(t, { ...system, acknowledged, arrivals });
  await until(async () => (await countRunningWorkflows({ temporal })) >= 1, { for: 'All workflows to be listed' });
  t.is(await countRunningWorkflows({ temporal }), 1, 'that of the circuit');
  const { searchAttributes } = await handle.describe();
  t.deepEqual(searchAttributes['ServiceState'], ['closed']);
});

test('a signal from the Temporal UI probes a destination immediately', async (t) => {
  const stage = await withReceiverDown(t, await sharedSystem(t));
  const { receiver, arrivals, acknowledged, handle, untilAllArrived } = stage;
  receiver.isDown = false;
  const probe = async () => {
    await handle.signal(probeNow).catch(() => undefined);
    return arrivals.distinct.size > 0;
  };
  await until(probe, { for: 'The probe' });
  await untilAllArrived();
  t.is(tally(t, { acknowledged, arrivals }).disordered, 0);
});

test("cancelling a circuit's workflow closes the circuit", async (t) => {
  const { receiver, handle, circuit, untilAllArrived } = await withReceiverDown(t, await sharedSystem(t));
  receiver.isDown = false;
  const cancel = async () => {
    await handle.cancel().catch(() => undefined);
    return (await circuit()) === 'closed';
  };
  await until(cancel, { for: 'The circuit to close' });
  await t.notThrowsAsync(untilAllArrived);
});

test('the service adopts a circuit whose workflow is terminated', async (t) => {
  const { receiver, handle, destination, untilAllArrived } = await withReceiverDown(t, await sharedSystem(t));
  await until(async () => (await handle.describe().catch(() => undefined)) !== undefined, { for: 'The workflow' });
  await handle.terminate('by hand');
  receiver.isDown = false;
  await destination().update({ circuit_probe_at: new Date(Date.now() - 20_000) });
  await t.notThrowsAsync(untilAllArrived);
});
