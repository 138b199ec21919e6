import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Worker } from '@temporalio/worker';
import { deliveryPumpWorkflowId } from '../../contract/ids.ts';
import { taskQueues } from '../../contract/task-queues.ts';
import { showPump } from '../../worker/show-pump.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { createWorkerStarts, type WorkerStarts } from '../../workflow-starts/worker-starts.ts';
import { hotLedger } from '../harness/deliveries/hot-ledger.ts';
import { eventually } from '../harness/eventually.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { patient } from '../harness/temporal/quiet-temporal.ts';
import { connectOnce, runUntilTeardown, temporalHarness } from '../harness/temporal/temporal.ts';
import { schedules } from '../workflow-starts/start-cases.ts';

/** Shows an idle pump in a namespace of the test's own. */
async function shown(t: ExecutionContext, start?: WorkerStarts['start']) {
  const { pool } = await hotLedger(t);
  const { client } = await temporalHarness(t, {}, { queues: {} });
  const { namespace } = client.options;
  const connection = await connectOnce();
  const bundle = await workflowBundle();
  const main = { ...patient, connection, namespace, taskQueue: taskQueues.main, workflowBundle: bundle };
  await runUntilTeardown(t, await Worker.create(main));
  const holder = `host/1/${randomUUID()}`;
  const stopping = new AbortController();
  const log = rememberingLog();
  const counts = () => ({ settledCount: 0, promotedCount: 0, heldCount: 0 });
  const running = showPump({
    pump: { shards: () => [1, 2], counts, stopped: new Promise(() => undefined) },
    pool,
    holder,
    workerOptions: { connection, namespace },
    starts: start ? { start } : createWorkerStarts({ client, ...schedules }),
    stopping: stopping.signal,
    log,
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  t.teardown(stop);
  const handle = client.workflow.getHandle(deliveryPumpWorkflowId(holder));
  /** Resolves with the run whose view is under way on this worker. */
  const viewedRun = (but = '') =>
    eventually(async () => {
      const run = await handle.describe().catch(() => undefined);
      const isViewed = run?.raw.pendingActivities?.some(({ lastStartedTime }) => lastStartedTime);
      return isViewed && run && run.runId !== but && run.runId;
    });
  return { handle, viewedRun, stop, log };
}

test('a worker shows its pump again after a termination', async (t) => {
  const { handle, viewedRun, stop, log } = await shown(t);
  const first = (await viewedRun()) || '';
  await handle.terminate();
  t.truthy(await viewedRun(first));
  await stop();
  await handle.result();
  t.is((await handle.describe()).status.name, 'COMPLETED');
  t.deepEqual(log.lines, []);
});

test('a start that fails is logged and repeated', async (t) => {
  let count = 0;
  const { stop, log } = await shown(t, () => (count++, Promise.reject(new Error('unreachable'))));
  await eventually(() => count === 2);
  await stop();
  t.like(log.lines[0], { level: 'warn', event: 'pump.showFailed', reason: 'unreachable' });
});
