import test, { type ExecutionContext } from 'ava';
import type { ExchangeResult } from '../../../activities/channels/credential-activities.ts';
import type { refreshCredential } from '../../../workflows/channels/refresh-credential.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

async function refreshHarness(t: ExecutionContext, answers: readonly ExchangeResult[]) {
  const calls: unknown[] = [];
  let count = 0;
  const { execute, start } = await temporalHarness(t, {
    exchangeCredential: async ({ credentialId }: { credentialId: string }) => {
      calls.push(`exchange ${credentialId}`);
      return answers[Math.min(count++, answers.length - 1)];
    },
    disconnectChannels: async (dead: unknown) => void calls.push(dead),
  });
  const options = {
    args: [{ credentialId: 'cred_00000001', waitsMs: [10, 20] }] as Parameters<typeof refreshCredential>,
  };
  return {
    calls,
    run: () => execute<typeof refreshCredential>('refreshCredential', options),
    start: () => start<typeof refreshCredential>('refreshCredential', options),
  };
}

for (const outcome of ['refreshed', 'not_due'] as const) {
  test(`a credential that is ${outcome} ends the run`, async (t) => {
    const { calls, run } = await refreshHarness(t, [{ outcome }]);
    t.deepEqual(await run(), { status: outcome });
    t.deepEqual(calls, ['exchange cred_00000001']);
  });
}

test('a failed exchange is retried until the credential is refreshed', async (t) => {
  const { calls, run } = await refreshHarness(t, [
    { outcome: 'unavailable' },
    { outcome: 'refused', code: 4, subcode: null },
    { outcome: 'unchanged' },
    { outcome: 'refreshed' },
  ]);
  t.deepEqual(await run(), { status: 'refreshed' });
  t.is(calls.length, 4);
});

test('exchanges follow the waits of the input, and the last repeats', async (t) => {
  const { start } = await refreshHarness(t, [
    ...Array.from({ length: 3 }, () => ({ outcome: 'unavailable' }) as const),
    { outcome: 'refreshed' },
  ]);
  const handle = await start();
  await handle.result();
  const { events } = await handle.fetchHistory();
  const timers = (events ?? []).map(({ timerStartedEventAttributes }) => timerStartedEventAttributes).filter(Boolean);
  t.deepEqual(
    timers.map((timer) => (timer?.startToFireTimeout?.nanos ?? 0) / 1_000_000),
    [10, 20, 20],
  );
});

test('a dead credential disconnects its channels with the error codes', async (t) => {
  const { calls, run } = await refreshHarness(t, [{ outcome: 'dead', code: 190, subcode: 463 }]);
  t.deepEqual(await run(), { status: 'dead' });
  t.deepEqual(calls, ['exchange cred_00000001', { credentialId: 'cred_00000001', code: 190, subcode: 463 }]);
});
