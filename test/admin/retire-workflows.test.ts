import type { WorkflowHandle } from '@temporalio/client';
import test from 'ava';
import { CommandFailed, UsageError } from '../../admin/commands/options.ts';
import { retireWorkflows } from '../../admin/commands/retire-workflows.ts';
import { retryNow } from '../../workflows/messages/messages.ts';
import { versionedFleet } from '../harness/temporal/versioned-fleet.ts';
import { until } from '../harness/until.ts';

const LATER_MS = 3_600_000;
const waits = { sliceMs: 10, lastMs: 200 };

test('only idle runs that started before the command are ended', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  t.teardown(release);
  let isHeld = false;
  const { client, start, startBuild, ran } = await versionedFleet(t, {
    attemptDelivery: async () => {
      if (isHeld) await released;
      return { status: 'retrying', description: '', nextAttemptAtMs: Date.now() + LATER_MS };
    },
  });
  await startBuild('a', { as: 'unversioned' });
  const counts = { attemptsMade: 1, failedInSchedule: 1, scheduleMs: [LATER_MS, LATER_MS] };
  const delivery = { deliveryId: 'wd_00000001', ...counts, nextAttemptAtMs: Date.now() };
  const runs = [await start('deliverWebhook', delivery), await start('deliverWebhook', delivery)] as const;
  await until(() => ran.length === 2, { for: 'The attempts' });
  const isIdle = async (run: WorkflowHandle) => (await run.describe()).raw.pendingActivities?.length === 0;
  for (const run of runs) await until(() => isIdle(run), { for: 'The answer to an attempt' });
  isHeld = true;
  await runs[1].signal(retryNow);
  await until(() => ran.length === 3, { for: 'The held attempt' });
  const listed = async (count: number) =>
    (await client.workflow.count("WorkflowType = 'deliverWebhook' and ExecutionStatus = 'Running'")).count === count;
  await until(() => listed(2), { for: 'Both runs in lists' });

  const retire = (...args: string[]) => retireWorkflows(client, ['--type', 'deliverWebhook', ...args], waits);
  t.like(await retire('--slice', '1', '--dry-run'), { found: 2, slices: 2, restart: 'adoption' });
  t.like(await retire('--started-before', '2020-01-01T00:00:00Z'), { found: 0, ended: 0 });
  const failed = await t.throwsAsync(retire('--slice', '1'), { instanceOf: CommandFailed });
  t.like(failed?.report, { found: 2, ended: 1, busy: 1, restarted: 0 });
  t.is((await runs[0].describe()).status.name, 'TERMINATED');
  t.is((await runs[1].describe()).status.name, 'RUNNING');

  release();
  await until(() => isIdle(runs[1]), { for: 'The answer' });
  await until(() => listed(1), { for: 'The end of the first run in lists' });
  t.like(await retire(), { found: 1, ended: 1, busy: 0 });
});

test('types that nothing starts again are refused', async (t) => {
  const { client } = await versionedFleet(t, {});
  for (const type of ['installation', 'rotateToken', 'sendInvitation', 'emailCode', 'saveWebhook', 'unknown']) {
    await t.throwsAsync(retireWorkflows(client, ['--type', type], waits), { instanceOf: UsageError }, type);
  }
  for (const invalid of [
    ['--slice', '0'],
    ['--slice', '81'],
    ['--started-before', 'yesterday'],
  ]) {
    await t.throwsAsync(retireWorkflows(client, ['--type', 'deliverWebhook', ...invalid], waits), {
      instanceOf: UsageError,
    });
  }
});
