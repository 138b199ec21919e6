import test from 'ava';
import type { Knex } from 'knex';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { steadyLoad } from '../../harness/system/steady-load.ts';
import { patienceMs } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

/** The process id of the holder of each shard. */
async function holdersOf(db: Knex): Promise<number[]> {
  const rows = await db('shard_leases')
    .whereRaw('expires_at > clock_timestamp()')
    .select<{ holder: string }[]>('holder');
  return rows.map(({ holder }) => Number(holder.split('/')[1]));
}

test('processes share the shards after each stop, kill, pause and start', async (t) => {
  t.timeout(patienceMs(0) * 4);
  const arrivals = await countArrivals(t);
  const { db, workers, channel, ...system } = await startSystem(t, { workers: 3 });
  const [{ delivery_shards: shardCount }] = await db('installation').select('delivery_shards');
  const { resourceId } = await channel({ webhookUrl: arrivals.url });
  const load = steadyLoad({ ...system, resourceId });
  const untilShared = async (pids: readonly number[], what: string): Promise<void> => {
    const startedAtMs = performance.now();
    await until(
      async () => {
        const holders = await holdersOf(db);
        const counts = pids.map((pid) => holders.filter((holder) => holder === pid).length);
        const isComplete = counts.reduce((sum, count) => sum + count, 0) === shardCount;
        return isComplete && Math.max(...counts) - Math.min(...counts) <= 1;
      },
      { for: `Even shares after ${what}`, detail: () => holdersOf(db) },
    );
    t.log(`${what}: shared after ${Math.round(performance.now() - startedAtMs)} ms`);
  };
  const [a, b, c] = [workers[0]!, workers[1]!, workers[2]!];

  await untilShared([a.pid, b.pid, c.pid], 'the start');
  await b.stop();
  await untilShared([a.pid, c.pid], 'a stop');
  await c.kill9();
  await untilShared([a.pid], 'a kill');
  await b.start();
  await untilShared([a.pid, b.pid], 'a start');
  process.kill(a.pid, 'SIGSTOP');
  await untilShared([b.pid], 'a pause');
  process.kill(a.pid, 'SIGCONT');
  await untilShared([a.pid, b.pid], 'the end of the pause');

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
  t.deepEqual([...new Set(await holdersOf(db))], [workers[0]!.pid]);
  const { rows } = await db.raw("select holder from leader_leases where name = 'upkeep'");
  t.is(Number(rows[0].holder.split('/')[1]), workers[1]!.pid);
  const shown = temporal.workflow.getHandle('delivery-shard/0');
  const pending = await until(
    async () => {
      const { raw } = await shown.describe();
      return raw.pendingActivities?.find(({ heartbeatDetails }) => heartbeatDetails);
    },
    { for: 'The pump in its workflow' },
  );
  t.is(pending.activityType?.name, 'pumpDeliveries');
});
