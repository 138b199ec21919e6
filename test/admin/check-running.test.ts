import test from 'ava';
import { Worker } from '@temporalio/worker';
import { checkRunning } from '../../admin/commands/check-running.ts';
import { CommandFailed, UsageError } from '../../admin/commands/options.ts';
import { taskQueues } from '../../contract/task-queues.ts';
import { cacheOptions, connectOnce } from '../harness/temporal/temporal.ts';
import { fixtureBundle, versionedFleet } from '../harness/temporal/versioned-fleet.ts';
import { until } from '../harness/until.ts';

const LATER_MS = 3_600_000;

test('running workflows that do not replay with this code are reported', async (t) => {
  const { client, start, startBuild, ran } = await versionedFleet(t, {
    attemptDelivery: () => ({ status: 'retrying', description: '', nextAttemptAtMs: Date.now() + LATER_MS }),
    sendCode: () => 'sent',
  });
  const delivery = { deliveryId: 'wd_00000001', attemptsMade: 1, failedInSchedule: 1, scheduleMs: [LATER_MS] };
  const input = { ...delivery, nextAttemptAtMs: Date.now() };
  const workflowBundle = await fixtureBundle();
  const { namespace } = client.options;
  const queue = { namespace, taskQueue: taskQueues.main };
  const foreign = await Worker.create({ connection: await connectOnce(), ...queue, workflowBundle, ...cacheOptions() });
  const changed = await foreign.runUntil(async () => {
    const run = await start('deliverWebhook', input);
    const timers = async () =>
      (await run.fetchHistory()).events?.filter((event) => event.timerStartedEventAttributes).length;
    await until(async () => (await timers()) === 2, { for: 'The second timer' });
    return run;
  });

  await startBuild('a', { as: 'unversioned' });
  const kept = await start('deliverWebhook', input);
  await start('emailCode', { registrationId: 1, windowMs: LATER_MS });
  await until(() => ran.length === 2, { for: 'The activities' });
  await until(async () => (await client.workflow.count("ExecutionStatus = 'Running'")).count === 3, {
    for: 'The runs in lists',
  });
  const failed = await t.throwsAsync(checkRunning(client, []), { instanceOf: CommandFailed, message: /^1 running/ });
  const report = failed?.report as { readonly types: Record<string, { readonly failures: readonly object[] }> };
  t.like(report, {
    failed: 1,
    types: { deliverWebhook: { passed: 1, failed: 1 }, emailCode: { passed: 1, failed: 0 } },
  });
  t.like(report.types['deliverWebhook']?.failures, [{ workflowId: changed.workflowId }]);

  await changed.terminate();
  await until(async () => (await client.workflow.count("ExecutionStatus = 'Running'")).count === 2, { for: 'The end' });
  t.like(await checkRunning(client, ['--type', 'deliverWebhook', '--per-type', '5']), { failed: 0 });
  await t.throwsAsync(checkRunning(client, ['--per-type', '0']), { instanceOf: UsageError });
  await t.throwsAsync(checkRunning(client, ['--type', 'unknown']), { instanceOf: UsageError });
  await kept.terminate();
});
