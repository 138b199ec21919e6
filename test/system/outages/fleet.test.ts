import test from 'ava';
import { deliveryPumpWorkflowId } from '../../../contract/ids.ts';
import { pumpState } from '../../../workflows/messages/messages.ts';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { pidOf, untilShared } from '../../harness/system/shared-shards.ts';
import { steadyLoad } from '../../harness/system/steady-load.ts';
import { patienceMs } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

test('processes share the shards after each stop, kill, pause and start', async (t) => {
  t.timeout(patienceMs(0) * 4);
  const arrivals = await countArrivals(t);
  const { db, workers, channel, ...system } = await startSystem(t, { workers: 3 });
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const load = steadyLoad({ ...system, resourceId });
  const shared = async (pids: readonly number[], what: string): Promise<void> => {
    const startedAtMs = performance.now();
    await untilShared(db, pids, what);
    t.log(`${what}: shared after ${Math.round(performance.now() - startedAtMs)} ms`);
  };
  const a = workers[0]!;
  const b = workers[1]!;
  const c = workers[2]!;

  await shared([a.pid, b.pid, c.pid], 'the start');
  await b.stop();
  await shared([a.pid, c.pid], 'a stop');
  await c.kill9();
  await shared([a.pid], 'a kill');
  await b.start();
  await shared([a.pid, b.pid], 'a start');
  process.kill(a.pid, 'SIGSTOP');
  await shared([b.pid], 'a pause');
  process.kill(a.pid, 'SIGCONT');
  await shared([a.pid, b.pid], 'the end of the pause');

  await load.stop();
  await untilArrived(arrivals, { messageIds: load.acknowledged, timeoutMs: patienceMs(load.acknowledged.length) });
  const counts = tally(t, { acknowledged: load.acknowledged, arrivals });
  t.is(counts.lost, 0);
});

test('pumps and workflows run in separate processes', async (t) => {
  const arrivals = await countArrivals(t);
  const { db, workers, channel, temporal, ...system } = await startSystem(t, {
    workers: 2,
    workerEnv: [{ WORKER_ROLES: 'pump' }, { WORKER_ROLES: 'main' }],
  });
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const load = steadyLoad({ ...system, resourceId });
  await until(() => arrivals.distinct.size > 20, { for: 'Deliveries' });
  await load.stop();
  // Also those of leases that have expired while the machine was busy.
  const leases = await db('shard_leases').select<{ holder: string }[]>('holder');
  t.deepEqual([...new Set(leases.map(pidOf))], [workers[0]!.pid]);
  const leader = await until(() => db('leader_leases').where({ name: 'upkeep' }).first(), { for: 'The leader' });
  t.is(pidOf(leader), workers[1]!.pid);
  const shown = temporal.workflow.getHandle(deliveryPumpWorkflowId(leases[0]!.holder));
  const read = async () => {
    const report = await shown.query(pumpState).catch(() => null);
    return report !== null && report.destinationCount > 0 && report;
  };
  const report = await until(read, { for: 'The report of the pump' });
  t.true(report.isServing);
  const count = async () => (await temporal.workflow.count(`WorkflowType = 'deliveryPump'`)).count;
  await until(async () => (await count()) >= 1, { for: 'The listed run' });
  t.is(await count(), 1, 'the other worker has no pump');
});
