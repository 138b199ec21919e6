import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { searchAttributes } from '../../../contract/search-attributes.ts';
import type { stubbornRun } from '../../harness/temporal/fixture-workflows.ts';
import { eventually } from '../../harness/eventually.ts';
import { cacheOptions, connectOnce, runUntilTeardown } from '../../harness/temporal/temporal.ts';

type Activities = Record<'stumble' | 'refuse', () => Promise<string>>;

const root = join(import.meta.dirname, '../../..');
let bundle: ReturnType<typeof bundleWorkflowCode> | undefined;

async function startedRun(t: ExecutionContext, activities: Activities) {
  const connection = await connectOnce();
  const client = new Client({ connection });
  const taskQueue = `test/${randomUUID()}`;
  bundle ??= bundleWorkflowCode({
    workflowsPath: join(root, 'test/harness/temporal/fixture-workflows.ts'),
    workflowInterceptorModules: [join(root, 'workflows/retries/keep-trying.ts')],
    logger: new DefaultLogger('ERROR'),
  });
  const options = { connection, taskQueue, activities, workflowBundle: await bundle, ...cacheOptions() };
  await runUntilTeardown(t, await Worker.create(options));
  const workflowId = `test/${randomUUID()}`;
  return {
    client,
    handle: await client.workflow.start<typeof stubbornRun>('stubbornRun', { taskQueue, workflowId, args: [] }),
  };
}

test('a run that an activity blocks shows it until the activity succeeds', async (t) => {
  let isMended = false;
  const calls = { stumble: 0, refuse: 0 };
  const { client, handle } = await startedRun(t, {
    async stumble() {
      if (++calls.stumble < 3) throw new Error('busy');
      return 'stumbled';
    },
    async refuse() {
      calls.refuse++;
      if (!isMended) throw new Error('a permanent fault');
      return 'done';
    },
  });
  const blockedBy = async () => (await handle.describe()).searchAttributes[searchAttributes.blockedBy];
  const details = async () =>
    (await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails;

  await eventually(async () => (await blockedBy())?.[0] === 'refuse');
  t.is(calls.stumble, 3, 'a few failures show nothing');
  t.true(calls.refuse >= 20);
  t.is(await details(), 'Blocked: refuse keeps failing, and is tried again. Last: a permanent fault');
  await eventually(async () => {
    const query = `WorkflowId = '${handle.workflowId}' and ${searchAttributes.blockedBy} is not null`;
    return (await client.workflow.count(query)).count === 1;
  });
  isMended = true;
  t.deepEqual(await handle.result(), ['stumbled', 'done']);
  t.is(await blockedBy(), undefined);
  t.is(await details(), 'Working.');
});

test('an activity that fails for good ends its run', async (t) => {
  const refuse = () => Promise.reject(ApplicationFailure.nonRetryable('gone'));
  const { handle } = await startedRun(t, { stumble: refuse, refuse });
  await t.throwsAsync(handle.result(), { name: 'WorkflowFailedError' });
});
