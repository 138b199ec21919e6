import test from 'ava';
import { endingStarts, waitsEndAfterMs } from '../../workflow-starts/ending-starts.ts';
import type { SaveStart, Started, WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import { noTemporal } from '../harness/api/api.ts';

const save: SaveStart = { channelId: 'ch_00000000', workspaceId: 'ws_00000000', candidateId: 1 };

/** Saves that end when the test says so. */
function stage() {
  const calls: ((answer: Started<'committed'>) => void)[] = [];
  const temporal: WorkflowStarts = { ...noTemporal, saveWebhook: () => new Promise((resolve) => calls.push(resolve)) };
  return { calls, ...endingStarts(temporal) };
}

test('what has not ended when waits do is unknown, and nothing is started from then on', async (t) => {
  const { starts, endWaits, calls } = stage();
  const waiting = [starts.saveWebhook(save), starts.saveWebhook(save)];
  calls[0]?.({ state: 'ended', result: 'committed' });
  t.deepEqual(await waiting[0], { state: 'ended', result: 'committed' });
  endWaits();
  t.like(await waiting[1], { state: 'unknown', cause: { message: 'The process is stopping' } });
  t.like(await starts.saveWebhook(save), { state: 'not_started' });
  t.is(calls.length, 2);
  endWaits();
});

test('a start that breaks is told as such', async (t) => {
  const saveWebhook = () => Promise.reject(new Error('broken'));
  await t.throwsAsync(endingStarts({ ...noTemporal, saveWebhook }).starts.saveWebhook(save), { message: 'broken' });
});

test('every call that starts something is ended', async (t) => {
  const { starts, endWaits } = endingStarts(noTemporal);
  endWaits();
  const others = ['cancelDeliveries', 'codeTried', 'containerProgress', 'isReachable'];
  const names = (Object.keys(noTemporal) as (keyof WorkflowStarts)[]).filter((name) => !others.includes(name));
  for (const name of names) {
    const call = starts[name] as (input: object) => Promise<Started<unknown>>;
    t.like(await call({}), { state: 'not_started', cause: { message: 'The process is stopping' } }, name);
  }
});

test('waits end within the grace period, with room for the answers', (t) => {
  t.deepEqual([1_000, 20_000, 60_000].map(waitsEndAfterMs), [500, 10_000, 50_000]);
});
