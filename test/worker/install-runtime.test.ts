import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { taskQueues } from '../../contract/task-queues.ts';
import { readSamples } from '../../metrics/temporal-metrics.ts';
import { temporalMetrics } from '../../metrics/temporal-metric-table.ts';
import { createActivityWorkers } from '../../worker/activity-workers.ts';
import { installRuntime } from '../../worker/install-runtime.ts';
import { watchTemporal } from '../../worker/watch-temporal.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { eventually } from '../harness/eventually.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { ownNamespace } from '../harness/system/own-namespace.ts';
import { runUntilTeardown } from '../harness/temporal/temporal.ts';

const address = process.env['TEST_TEMPORAL_ADDRESS']!;

/** They need a full cache or a lost server. */
const rare = new Set([
  'temporal_sticky_cache_miss_total',
  'temporal_long_request_failure_total',
  'temporal_sticky_cache_total_forced_eviction_total',
]);

/** One test, because a process can install its runtime once. */
test('the SDK exports every metric in the table', async (t) => {
  const { read } = await installRuntime({ hasMetrics: true, log: rememberingLog() });
  const connection = await NativeConnection.connect({ address });
  t.teardown(() => connection.close());
  const { namespace } = (await ownNamespace(t, address)).options;
  const client = new Client({ connection, namespace });
  let failures = 1;
  const removeOld = () => {
    if (failures-- > 0) throw ApplicationFailure.retryable('once');
    return Promise.resolve({ position: 0, removedCount: 0, isDone: true });
  };
  const activities = {
    removeOld,
    checkInvariants: () => Promise.reject(ApplicationFailure.nonRetryable('for good')),
  };
  const shared = { connection, namespace, activities };
  await runUntilTeardown(
    t,
    await Worker.create({ ...shared, taskQueue: taskQueues.main, workflowBundle: await workflowBundle() }),
  );
  for (const worker of await createActivityWorkers({ shared })) await runUntilTeardown(t, worker);
  const start = (type: string, input: object) =>
    client.workflow.start(type, { args: [input], taskQueue: taskQueues.main, workflowId: `test/${randomUUID()}` });
  await start('unknownType', {});
  await (await start('retention', {})).result();
  await t.throwsAsync(async () => await (await start('invariants', {})).result());
  await t.throwsAsync(client.workflow.getHandle('nowhere').signal('nothing'));

  const expected = temporalMetrics.map(({ name }) => name).filter((name) => !rare.has(name));
  let text = '';
  const missing = await eventually(async () => {
    // A read has a deadline of two seconds.
    text = (await read().catch(() => undefined)) ?? '';
    const names = new Set(readSamples(text).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')));
    const left = expected.filter((name) => !names.has(name));
    return left.length === 0 && left;
  });
  t.deepEqual(missing, []);
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]));
  for (const { name, type } of temporalMetrics) t.true([type, undefined].includes(types.get(name) as never), name);
  await noticesTemporal(t, connection);
});

async function noticesTemporal(t: ExecutionContext, connection: NativeConnection): Promise<void> {
  let nowMs = 0;
  const watch = watchTemporal({ namespace: 'default', installationId: 'ins_test', now: () => nowMs });
  nowMs = 7_000;
  t.is(await watch.unreachableMs(), 7_000, 'it has never answered');
  watch.connected(connection);
  nowMs = 20_000;
  await eventually(async () => {
    nowMs += 10_000;
    return (await watch.unreachableMs()) === 0;
  });
  t.deepEqual(Object.keys((await watch.blockedCounts()) ?? {}), ['activity', 'workflow_task']);
  const away = watchTemporal({ namespace: 'default', installationId: 'ins_test', now: () => nowMs });
  away.connected({ ...connection, withDeadline: () => Promise.reject(new Error('away')) } as never);
  nowMs += 10_000;
  t.is(await away.unreachableMs(), 10_000);
  t.is(await away.blockedCounts(), undefined);
}
