import test from 'ava';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { retryNow } from '../../workflows/messages/messages.ts';
import { setCurrentVersion } from '../../workflow-starts/worker-deployments.ts';
import { deploymentName, versionedFleet, type RunningBuild } from '../harness/temporal/versioned-fleet.ts';
import { until } from '../harness/until.ts';

const LATER_MS = 3_600_000;

const activities = {
  attemptDelivery: () => ({ status: 'retrying', description: 'rejected', nextAttemptAtMs: Date.now() + LATER_MS }),
  endDelivery: () => undefined,
};

const delivery = () => ({
  deliveryId: 'wd_00000001',
  attemptsMade: 1,
  failedInSchedule: 1,
  nextAttemptAtMs: Date.now() + 10,
  scheduleMs: [LATER_MS, LATER_MS, LATER_MS, LATER_MS],
});

const untilDeferred = (build: RunningBuild, because: string) =>
  until(() => build.lines.some((line) => line.event === 'version.deferred' && line['because'] === because), {
    for: `A version that is deferred because ${because}`,
    detail: () => build.lines,
  });

test('a pinned run keeps its build, new runs get the new one', async (t) => {
  const { start, startBuild, untilCurrent, deployment } = await versionedFleet(t, activities, { usesFixtures: true });
  const old = await startBuild('a');
  await untilCurrent('a');
  const pinned = await start('pinnedRun');
  await until(async () => (await buildsOfTasks(pinned)).length === 1, { for: 'The first task' });
  await startBuild('b');
  await untilCurrent('b');
  const next = await start('pinnedRun');
  await Promise.all([pinned, next].map((handle) => handle.signal('end')));
  t.deepEqual(await Promise.all([pinned, next].map((handle) => handle.result())), ['ended', 'ended']);
  t.deepEqual([...new Set(await buildsOfTasks(pinned))], ['a']);
  t.deepEqual([...new Set(await buildsOfTasks(next))], ['b']);
  const statuses = (await deployment())?.versions.map(({ buildId, status }) => `${buildId} ${status}`) ?? [];
  t.regex(statuses.sort().join(), /^a drain(ing|ed),b current$/);
  await old.stop();
});

/** The builds whose workers completed the tasks of a run. */
async function buildsOfTasks(run: WorkflowHandle): Promise<(string | null | undefined)[]> {
  const { events } = await run.fetchHistory();
  return (events ?? [])
    .map((event) => event.workflowTaskCompletedEventAttributes)
    .filter((task) => task != null)
    .map((task) => task.deploymentVersion?.buildId);
}

test('a run that upgrades moves to the new build', async (t) => {
  const { start, startBuild, untilCurrent, buildsOf } = await versionedFleet(t, activities);
  const attempts = (count: number) => until(() => buildsOf('attemptDelivery').length === count, { for: 'An attempt' });
  const old = await startBuild('a');
  await untilCurrent('a');
  const run = await start('deliverWebhook', delivery());
  await attempts(1);
  await startBuild('b');
  await untilCurrent('b');
  await run.signal(retryNow);
  await attempts(2);
  await old.stop();
  await run.signal(retryNow);
  await attempts(3);
  t.deepEqual(buildsOf('attemptDelivery'), ['a', 'b', 'b']);
  await run.terminate();
});

test('an older worker that restarts does not take the runs back', async (t) => {
  const { startBuild, untilCurrent, deployment } = await versionedFleet(t, activities);
  const first = await startBuild('a');
  await untilCurrent('a');
  const newer = await startBuild('b');
  await untilCurrent('b');
  await first.stop();
  const again = await startBuild('a');
  await untilDeferred(again, 'older');
  t.is((await deployment())?.currentBuildId, 'b');

  await newer.stop();
  await untilCurrent('a'); // a rollback
  await startBuild('b');
  await untilCurrent('b');
});

test("an operator's choice lasts until a newer build appears", async (t) => {
  const { client, startBuild, untilCurrent } = await versionedFleet(t, activities);
  await startBuild('a');
  await untilCurrent('a');
  const newer = await startBuild('b');
  await untilCurrent('b');
  await setCurrentVersion(client, { deploymentName, buildId: 'a', identity: 'operator' });
  await untilDeferred(newer, 'chosen');
  await startBuild('c');
  await untilCurrent('c');
  t.pass();
});

test('a manual worker waits until an operator makes its version current', async (t) => {
  const { client, start, startBuild, untilCurrent, buildsOf } = await versionedFleet(t, activities);
  await untilDeferred(await startBuild('a', { as: 'manual' }), 'manual');
  const run = await start('deliverWebhook', delivery());
  t.deepEqual(buildsOf('attemptDelivery'), []);
  await setCurrentVersion(client, { deploymentName, buildId: 'a', identity: 'operator' });
  await untilCurrent('a');
  await until(() => buildsOf('attemptDelivery').length === 1, { for: 'The attempt' });
  await run.terminate();
});

test('runs of unversioned workers continue on a version, and back', async (t) => {
  const { client, start, startBuild, untilCurrent, buildsOf } = await versionedFleet(t, activities);
  const attempts = (count: number) => until(() => buildsOf('attemptDelivery').length === count, { for: 'An attempt' });
  const before = await startBuild('before', { as: 'unversioned' });
  const run = await start('deliverWebhook', delivery());
  await attempts(1);
  const versioned = await startBuild('a'); // both serve the queue
  await untilCurrent('a');
  await before.stop();
  await run.signal(retryNow);
  await attempts(2);

  await startBuild('rolled-back', { as: 'unversioned' });
  await setCurrentVersion(client, { deploymentName, buildId: null, identity: 'operator' });
  await untilDeferred(versioned, 'chosen');
  await run.signal(retryNow);
  await attempts(3);
  t.deepEqual(buildsOf('attemptDelivery'), ['before', 'a', 'rolled-back']);
  await run.terminate();
  await t.throwsAsync(run.signal(retryNow), { instanceOf: WorkflowNotFoundError });
});
