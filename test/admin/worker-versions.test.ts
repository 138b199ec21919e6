import test, { type ExecutionContext } from 'ava';
import { setCurrentVersion, versions } from '../../admin/commands/worker-versions.ts';
import { CommandFailed, UsageError } from '../../admin/commands/options.ts';
import { connectDatabase } from '../../db/core/connect-database.ts';
import { readConfig } from '../../process/config.ts';
import { workerBuildId } from '../../worker/workflow-bundle.ts';
import { deploymentName, versionedFleet } from '../harness/temporal/versioned-fleet.ts';
import { until } from '../harness/until.ts';

async function stage(t: ExecutionContext) {
  const fleet = await versionedFleet(t, { sendCode: () => 'sent' }, { usesFixtures: true });
  const reading = readConfig({ WORKER_DEPLOYMENT_NAME: deploymentName });
  if (!reading.ok) throw new Error(reading.problems.join());
  const db = connectDatabase({ url: fleet.databaseUrl, applicationName: 'test', connectWithinMs: 30_000 });
  t.teardown(() => db.destroy());
  const deps = { db, config: reading.config };
  return {
    ...fleet,
    list: (...args: string[]): Promise<any> => versions(deps, fleet.client, args), // eslint-disable-line @typescript-eslint/no-explicit-any -- the command's own shape
    set: (...args: string[]) => setCurrentVersion(deps, fleet.client, args),
  };
}

test('versions are listed, ramped, set and checked for open runs', async (t) => {
  const { list, set, start, startBuild, untilCurrent, deployment } = await stage(t);
  await t.throwsAsync(list(), { instanceOf: UsageError, message: /no worker deployment 'test-workers'/ });

  await startBuild('a', { as: 'manual' });
  await startBuild(workerBuildId(), { as: 'manual' });
  await until(async () => (await deployment())?.versions.length === 2, { for: 'Both versions' });
  t.deepEqual(await set('--build-id', 'a'), { current: 'a', ramping: null });
  const run = await start('pinnedRun');
  await until(async () => (await list()).versions[1].pinnedRuns === 1, { for: 'The pinned run', detail: list });

  await t.throwsAsync(set('--build-id', 'x'), {
    instanceOf: UsageError,
    message: /'x' has started yet. Known builds: /,
  });
  await t.throwsAsync(set('--ramp', '100'), { instanceOf: UsageError });
  await t.throwsAsync(set('--unversioned', '--ramp', '5'), { instanceOf: UsageError });
  t.deepEqual(await set('--ramp', '5'), { current: 'a', ramping: { buildId: workerBuildId(), percentage: 5 } });
  t.deepEqual(await set('--ramp', '0'), { current: 'a', ramping: null });
  t.deepEqual(await set(), { current: workerBuildId(), ramping: null });
  await untilCurrent(workerBuildId());

  t.like(await list(), {
    deploymentName,
    thisBuild: workerBuildId(),
    current: workerBuildId(),
    versions: [
      { buildId: workerBuildId(), status: 'current', workers: 1, openRuns: 0, isDrained: false },
      { buildId: 'a', status: 'draining', workers: 1, openRuns: 1, pinnedRuns: 1, isDrained: false },
    ],
  });
  const failed = await t.throwsAsync(list('--drained', 'a'), { instanceOf: CommandFailed });
  t.like(failed?.report, { buildId: 'a', pinnedRuns: 1, isDrained: false });
  await t.throwsAsync(list('--drained', 'this', '--wait', '60'), {
    instanceOf: CommandFailed,
    message: /gets new runs/,
  });
  await t.throwsAsync(list('--wait', '60'), { instanceOf: UsageError });
  await run.terminate();
  t.like(await list('--drained', 'a', '--wait', '300'), { buildId: 'a', pinnedRuns: 0, isDrained: true });
  t.deepEqual(await set('--unversioned'), { current: null, ramping: null });
});
