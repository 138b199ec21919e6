import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import type { ProbeVerdict } from '../../../activities/webhooks/webhook-save-activities.ts';
import { failureTypes } from '../../../contract/failures.ts';
import type { saveWebhook, SaveWebhookResult } from '../../../workflows/webhooks/save-webhook.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

interface Answers {
  readonly get?: ProbeVerdict;
  readonly post?: ProbeVerdict;
  readonly commit?: 'committed' | 'overtaken' | 'expired';
}

async function saveHarness(t: ExecutionContext, { get = 'passed', post = 'passed', commit = 'committed' }: Answers) {
  const calls: string[] = [];
  const answering =
    <Answer>(name: string, answer: Answer) =>
    async ({ candidateId }: { candidateId: number }): Promise<Answer> => {
      calls.push(`${name} ${candidateId}`);
      return answer;
    };
  const { execute } = await temporalHarness(t, {
    probeVerifyToken: answering('get', get),
    probeEmptyPost: answering('post', post),
    commitCandidate: answering('commit', commit),
  });
  const save = () => execute<typeof saveWebhook>('saveWebhook', { args: [{ candidateId: 7 }] });
  return { save, calls };
}

const saves: readonly [string, Answers, SaveWebhookResult, readonly string[]][] = [
  ['both probes pass', {}, 'committed', ['get 7', 'post 7', 'commit 7']],
  ['the GET probe fails', { get: 'failed' }, 'failed', ['get 7']],
  ['the URL is blocked', { get: 'blocked' }, 'blocked', ['get 7']],
  ['a later save started before the first probe', { get: 'overtaken' }, 'overtaken', ['get 7']],
  ['the POST probe fails', { post: 'failed' }, 'failed', ['get 7', 'post 7']],
  ['the second probe resolves to a blocked address', { post: 'blocked' }, 'blocked', ['get 7', 'post 7']],
  ['a later save started before the commit', { commit: 'overtaken' }, 'overtaken', ['get 7', 'post 7', 'commit 7']],
  ['the probes took too long', { commit: 'expired' }, 'expired', ['get 7', 'post 7', 'commit 7']],
];

for (const [what, answers, result, expected] of saves) {
  test(`a save is ${result} when ${what}`, async (t) => {
    const { save, calls } = await saveHarness(t, answers);
    t.is(await save(), result);
    t.deepEqual(calls, [...expected]);
  });
}

test('a probe whose worker is lost is repeated before the save fails', async (t) => {
  let asked = 0;
  const { execute } = await temporalHarness(t, {
    probeVerifyToken: async () => {
      asked++;
      throw new Error('worker lost');
    },
  });
  await t.throwsAsync(execute<typeof saveWebhook>('saveWebhook', { args: [{ candidateId: 7 }] }), {
    instanceOf: WorkflowFailedError,
  });
  t.is(asked, 3);
});

test('an unknown candidate fails the save at once', async (t) => {
  let asked = 0;
  const { execute } = await temporalHarness(t, {
    probeVerifyToken: async () => {
      asked++;
      throw ApplicationFailure.nonRetryable('Candidate 7 not found', failureTypes.candidateNotFound);
    },
  });
  await t.throwsAsync(execute<typeof saveWebhook>('saveWebhook', { args: [{ candidateId: 7 }] }));
  t.is(asked, 1);
});
