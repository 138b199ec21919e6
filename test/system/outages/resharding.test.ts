import test from 'ava';
import { setShards } from '../../../admin/commands/set-shards.ts';
import type { AdminDeps } from '../../../admin/commands/deps.ts';
import { deliveryShardWorkflowId } from '../../../contract/ids.ts';
import { readResharding } from '../../../db/ledger/shards/resharding.ts';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { patienceMs } from '../../harness/system/scale.ts';
import { steadyLoad } from '../../harness/system/steady-load.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { untilWorkflow, hasEnded } from '../../harness/system/workflow-view.ts';

const CHANNELS = 10;

test('processes change the number of shards under load and after a kill', async (t) => {
  t.timeout(patienceMs(0) * 4);
  const arrivals = await countArrivals(t);
  const { db, workers, channel, temporal, ...system } = await startSystem(t, { workers: 2 });
  await db('installation').update({ delivery_shards: 4 });
  const channels = await Promise.all(Array.from({ length: CHANNELS }, () => channel({ webhookUrl: arrivals.url })));
  const [resourceId = '', ...others] = channels.map((each) => each.resourceId);
  const load = steadyLoad({ ...system, resourceId, others });
  const deps = { db } as AdminDeps;

  await until(() => arrivals.distinct.size > 100, { for: 'Deliveries' });
  for (const count of [16, 3]) {
    const startedAtMs = performance.now();
    t.like(await setShards(deps, [String(count)]), { shards: count });
    t.log(`${count} shards after ${Math.round(performance.now() - startedAtMs)} ms`);
    const arrivedCount = arrivals.distinct.size;
    await until(() => arrivals.distinct.size > arrivedCount + 100, { for: `Deliveries with ${count} shards` });
    await untilWorkflow(temporal, deliveryShardWorkflowId(count - 1));
  }
  t.is((await untilWorkflow(temporal, deliveryShardWorkflowId(15), hasEnded)).status, 'COMPLETED');
  const count = load.acknowledged.length;
  await untilArrived(arrivals, { messageIds: load.acknowledged.slice(0, count), timeoutMs: patienceMs(count) });
  if (countLostLeases(system) === 0) t.is(arrivals.messageIds.length, arrivals.distinct.size, 'nothing was sent twice');

  await setShards(deps, ['12', '--no-wait']);
  await until(async () => (await readResharding(db)).toMove < CHANNELS, { for: 'The first move' });
  await workers[0]!.kill9();
  await setShards(deps, ['12']);
  await load.stop();
  await untilArrived(arrivals, { messageIds: load.acknowledged, timeoutMs: patienceMs(load.acknowledged.length) });
  const counts = tally(t, { acknowledged: load.acknowledged, arrivals });
  t.deepEqual({ lost: counts.lost, disordered: counts.disordered }, { lost: 0, disordered: 0 });
});
