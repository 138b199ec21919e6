import test from 'ava';
import type { Client } from '@temporalio/client';
import { describeDeployment } from '../../workflow-starts/worker-deployments.ts';

const DEADLINE_EXCEEDED = 4;
const UNAUTHENTICATED = 16;

/** Fails with the codes one after another, then answers. */
function clientThatFails(codes: readonly number[]) {
  const left = [...codes];
  const calls = { count: 0 };
  const client = {
    options: { namespace: 'default' },
    withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
    workflowService: {
      describeWorkerDeployment: () => {
        calls.count += 1;
        const code = left.shift();
        if (code !== undefined) return Promise.reject(Object.assign(new Error(`code ${code}`), { code }));
        const routingConfig = { currentDeploymentVersion: { buildId: 'a' } };
        return Promise.resolve({ workerDeploymentInfo: { routingConfig }, conflictToken: new Uint8Array() });
      },
    },
  };
  return { client: client as unknown as Client, calls };
}

test('a question that was not answered in time is asked again', async (t) => {
  const { client, calls } = clientThatFails([DEADLINE_EXCEEDED, DEADLINE_EXCEEDED]);
  t.is((await describeDeployment(client, 'workers'))?.currentBuildId, 'a');
  t.is(calls.count, 3);
});

test('a question is asked three times at most', async (t) => {
  const { client, calls } = clientThatFails([DEADLINE_EXCEEDED, DEADLINE_EXCEEDED, DEADLINE_EXCEEDED]);
  await t.throwsAsync(describeDeployment(client, 'workers'), { message: 'code 4' });
  t.is(calls.count, 3);
});

test('other errors are not asked again', async (t) => {
  const { client, calls } = clientThatFails([UNAUTHENTICATED]);
  await t.throwsAsync(describeDeployment(client, 'workers'), { message: 'code 16' });
  t.is(calls.count, 1);
});
