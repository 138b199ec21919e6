import { randomUUID } from 'node:crypto';
import test from 'ava';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { activatesPatch } from '../../contract/announced-patches.ts';
import { patient } from '../harness/temporal/quiet-temporal.ts';
import { cacheOptions, connectOnce, runUntilTeardown } from '../harness/temporal/temporal.ts';
import { fixtureBundle } from '../harness/temporal/versioned-fleet.ts';

test('an announced patch is replayed but not activated', async (t) => {
  const connection = await connectOnce();
  const client = new Client({ connection });
  const workflowBundle = await fixtureBundle();

  const run = async (announced: readonly string[]) => {
    const taskQueue = `test/${randomUUID()}`;
    const patchActivationCallback = activatesPatch(announced);
    const options = { connection, taskQueue, workflowBundle, patchActivationCallback, ...cacheOptions() };
    await runUntilTeardown(t, await Worker.create(options));
    const handle = await client.workflow.start('patchedWorkflow', { taskQueue, workflowId: taskQueue });
    const result: unknown = await handle.result();
    return { result, handle, history: await handle.fetchHistory() };
  };
  const markersOf = ({ events }: { events?: readonly { markerRecordedEventAttributes?: unknown }[] | null }) =>
    (events ?? []).filter((event) => event.markerRecordedEventAttributes).length;

  const before = await run(['test-patch']);
  const after = await run([]);
  t.deepEqual([before.result, markersOf(before.history)], ['old', 0]);
  t.deepEqual([after.result, markersOf(after.history)], ['new', 1]);
  // A rollback: the release that announces the patch replays the histories of the one that activates it.
  const replayer = { ...patient, workflowBundle, patchActivationCallback: activatesPatch(['test-patch']) };
  await t.notThrowsAsync(Worker.runReplayHistory(replayer, after.history));
  await t.notThrowsAsync(Worker.runReplayHistory(replayer, before.history));
});
