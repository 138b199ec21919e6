import test, { type ExecutionContext } from 'ava';
import { webhookSaveWorkflowId } from '../../../contract/ids.ts';
import { ROLLOUT_CONCURRENCY, type RolloutPage, type StagedSave } from '../../../contract/webhooks/rollout.ts';
import type { rollOutWebhook } from '../../../workflows/webhooks/roll-out-webhook.ts';
import type { saveDefaultWebhook } from '../../../workflows/webhooks/save-default-webhook.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const rolloutId = 'dwr_00000001';
let count = 0;

interface Options {
  readonly pages?: readonly (readonly number[])[];
  readonly probe?: () => Promise<'passed' | 'failed'>;
  /** Channels that need no save any more. */
  readonly settled?: readonly number[];
}

async function rolloutHarness(t: ExecutionContext, { pages = [[1, 2], [3]], probe, settled = [] }: Options = {}) {
  const calls: string[] = [];
  const base = ++count * 1_000;
  const harness = await temporalHarness(t, {
    planRolloutPage: async ({ after }: { after: number }): Promise<RolloutPage> => {
      calls.push(`plan after ${after}`);
      const page = pages.find(([first = 0]) => first > after) ?? [];
      return { channels: page, last: page.at(-1) ?? after, isDone: page.length === 0 };
    },
    stageRolloutSave: async ({ channel }: { channel: number }): Promise<StagedSave | null> =>
      settled.includes(channel)
        ? null
        : { candidateId: base + channel, channelId: `ch_0000${base + channel}`, workspaceId: 'ws_00000001' },
    probeVerifyToken: probe ?? (async () => 'passed'),
    probeEmptyPost: async () => 'passed',
    commitCandidate: async () => 'committed',
    settleRolloutSave: async ({ channel }: { channel: number }) => void calls.push(`settle ${channel}`),
    endRollout: async ({ as }: { as: string }) => {
      calls.push(as);
      return as;
    },
  });
  const start = () => harness.start<typeof rollOutWebhook>('rollOutWebhook', { args: [{ rolloutId }] });
  const saveIdOf = (channel: number) => webhookSaveWorkflowId(`ch_0000${base + channel}`, base + channel);
  return { ...harness, start, calls, saveIdOf };
}

test('a rollout saves the channels of all pages and completes', async (t) => {
  const { start, calls } = await rolloutHarness(t);
  t.is(await (await start()).result(), 'completed');
  t.deepEqual(calls.slice().sort(), [
    'completed',
    'plan after 0',
    'plan after 2',
    'plan after 3',
    'settle 1',
    'settle 2',
    'settle 3',
  ]);
});

test('a channel that needs no save is passed over', async (t) => {
  const { start, calls } = await rolloutHarness(t, { settled: [2] });
  await (await start()).result();
  t.false(calls.includes('settle 2'));
});

test('a failed probe of one channel does not end the rollout', async (t) => {
  const { start, calls } = await rolloutHarness(t, { probe: async () => 'failed' });
  t.is(await (await start()).result(), 'completed');
  t.is(calls.filter((call) => call.startsWith('settle')).length, 3);
});

test('a cancelled save of one channel does not end the rollout', async (t) => {
  const gate = Promise.withResolvers<'passed'>();
  let probes = 0;
  const { start, calls, client, saveIdOf } = await rolloutHarness(t, {
    probe: () => (++probes === 1 ? gate.promise : Promise.resolve('passed')),
    pages: [[1], [2]],
  });
  const rollout = await start();
  await eventually(async () => probes === 1);
  await client.workflow.getHandle(saveIdOf(1)).cancel();
  t.is(await rollout.result(), 'completed');
  gate.resolve('passed');
  t.deepEqual(calls, ['plan after 0', 'settle 1', 'plan after 1', 'settle 2', 'plan after 2', 'completed']);
});

test('a rollout saves a few channels at a time', async (t) => {
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const channels = Array.from({ length: ROLLOUT_CONCURRENCY * 2 }, (_, index) => index + 1);
  const { start } = await rolloutHarness(t, {
    pages: [channels],
    probe: async () => {
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
      return 'passed';
    },
  });
  // The worker waits for its activities when it shuts down.
  t.teardown(() => gate.resolve());
  const handle = await start();
  await eventually(() => running === ROLLOUT_CONCURRENCY);
  gate.resolve();
  t.is(await handle.result(), 'completed');
  t.is(most, ROLLOUT_CONCURRENCY);
});

test('cancelling the workflow cancels the rollout', async (t) => {
  const gate = Promise.withResolvers<void>();
  let isProbing = false;
  const { start, calls } = await rolloutHarness(t, {
    probe: async () => {
      isProbing = true;
      await gate.promise;
      return 'passed';
    },
  });
  t.teardown(() => gate.resolve());
  const handle = await start();
  await eventually(() => isProbing);
  await handle.cancel();
  t.is(await handle.result(), 'cancelled');
  gate.resolve();
  t.is(calls.at(-1), 'cancelled');
});

for (const [answer, result] of [
  ['passed', 'committed'],
  ['failed', 'failed'],
] as const) {
  test(`a default whose GET probe ${answer} ends ${result}`, async (t) => {
    const { execute } = await temporalHarness(t, {
      probeDefaultToken: async () => answer,
      probeDefaultPost: async () => 'passed',
      commitDefaultWebhook: async () => 'committed',
    });
    const args: Parameters<typeof saveDefaultWebhook> = [{ defaultWebhookId: 7 }];
    t.is(await execute<typeof saveDefaultWebhook>('saveDefaultWebhook', { args }), result);
  });
}
