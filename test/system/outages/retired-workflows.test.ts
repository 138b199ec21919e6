import test from 'ava';
import { retireWorkflows } from '../../../admin/commands/retire-workflows.ts';
import { deliveryPumpWorkflowId, deliveryWorkflowId, destinationCircuitWorkflowId } from '../../../contract/ids.ts';
import { probeNow, retryNow } from '../../../workflows/messages/messages.ts';
import { countArrivals, arriveOnce } from '../../harness/system/arrivals.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const EVENTS = 40;
const waits = { sliceMs: 1_000, lastMs: 240_000 };

test('retired workflows start again and nothing is lost or repeated', async (t) => {
  t.timeout(900_000);
  const env = { RETRY_SCHEDULE_SECONDS: '1,600', CIRCUIT_PROBE_SECONDS: '600' };
  const { channel, ...system } = await startSystem(t, { env });
  const { db, temporal } = system;
  let isDown = true;
  const answerTo = () => (isDown ? { status: 503 } : undefined);
  const one = await countArrivals(t, { answerTo });
  const many = await countArrivals(t, { answerTo });
  const waiting = await channel({ webhookUrl: one.url });
  const failing = await channel({ webhookUrl: many.url });
  const single = publishBurst({ ...system, resourceIds: [waiting.resourceId], count: 1, prefix: 'one' });
  const burst = publishBurst({ ...system, resourceIds: [failing.resourceId], count: EVENTS, lanes: 10 });
  await Promise.all([single.done, burst.done]);
  const openCircuits = async () => (await db('destinations').where({ circuit: 'open' })).length;
  await until(async () => (await openCircuits()) === 1, { for: 'The open circuit' });
  const deliveryId = await until(
    async () =>
      (await system.api.call(`GET /deliveries?scope=channel:${waiting.publicId}`)).body.deliveries[0]?.deliveryId,
    { for: 'The delivery' },
  );
  const delivery = deliveryWorkflowId(deliveryId);
  const circuit = destinationCircuitWorkflowId(`webhook-${failing.publicId}`);
  const { holder } = await until(
    () => db('shard_leases').whereNot({ holder: '' }).first<{ holder: string }>('holder'),
    { for: 'The lease' },
  );
  const isListed = async (workflowId: string) =>
    (await temporal.workflow.count(`WorkflowId = '${workflowId}' and ExecutionStatus = 'Running'`)).count === 1;
  for (const workflowId of [delivery, circuit, deliveryPumpWorkflowId(holder)])
    await until(() => isListed(workflowId), { for: workflowId });

  for (const type of ['deliverWebhook', 'destinationCircuit', 'deliveryPump']) {
    const report: object = await retireWorkflows(temporal, ['--type', type, '--slice', '3'], waits);
    t.like(report, { busy: 0 }, type);
    t.true('ended' in report && 'restarted' in report && report.restarted === report.ended, JSON.stringify(report));
  }

  isDown = false;
  const at = (workflowId: string) => temporal.workflow.getHandle(workflowId);
  await Promise.all([at(delivery).signal(retryNow), at(circuit).signal(probeNow)]);
  await arriveOnce(t, { ...system, ...single, arrivals: one });
  await arriveOnce(t, { ...system, ...burst, arrivals: many });
});
