import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import { failureTypes } from '../../../contract/failures.ts';
import type { emailCode } from '../../../workflows/people/email-code.ts';
import { codeRefused, registrationEnded } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const LONG_MS = 600_000;

interface Answers {
  readonly send?: () => Promise<'sent' | 'ended'>;
  readonly expire?: () => Promise<string>;
}

async function codeHarness(t: ExecutionContext, { send, expire }: Answers = {}) {
  const calls: string[] = [];
  const harness = await temporalHarness(t, {
    sendCode: async ({ registrationId }: { registrationId: number }) => {
      calls.push(`send ${registrationId}`);
      return await (send?.() ?? Promise.resolve('sent'));
    },
    expireRegistration: async ({ registrationId }: { registrationId: number }) => {
      calls.push(`expire ${registrationId}`);
      return await (expire?.() ?? Promise.resolve('expired'));
    },
  });
  const start = (windowMs: number) =>
    harness.start<typeof emailCode>('emailCode', { args: [{ registrationId: 7, windowMs }] });
  return { start, calls };
}

test('an uncompleted registration expires with its window', async (t) => {
  const { start, calls } = await codeHarness(t);
  t.is(await (await start(300)).result(), 'expired');
  t.deepEqual(calls, ['send 7', 'expire 7']);
});

for (const how of ['completed', 'locked'] as const) {
  test(`a registration that was ${how} ends at once`, async (t) => {
    const { start, calls } = await codeHarness(t);
    const handle = await start(LONG_MS);
    await handle.signal(codeRefused);
    await handle.signal(registrationEnded, how);
    t.is(await handle.result(), how);
    t.deepEqual(calls, ['send 7']);
  });
}

test('a signal with an unknown end is ignored', async (t) => {
  const { start } = await codeHarness(t);
  const handle = await start(LONG_MS);
  await handle.signal('registrationEnded');
  await handle.signal<[string]>('registrationEnded', 'unknown');
  await handle.signal(registrationEnded, 'completed');
  t.is(await handle.result(), 'completed');
});

test('an end without a signal is read from the database', async (t) => {
  const { start } = await codeHarness(t, { expire: async () => 'completed' });
  t.is(await (await start(300)).result(), 'completed');
});

test('an unreachable mail server is retried', async (t) => {
  let tries = 0;
  const send = async () => {
    tries++;
    if (tries < 2) throw ApplicationFailure.create({ message: 'unreachable', type: failureTypes.mailNotSent });
    return 'sent' as const;
  };
  const { start } = await codeHarness(t, { send });
  const handle = await start(LONG_MS);
  await eventually(() => tries === 2);
  await handle.signal(registrationEnded, 'completed');
  t.is(await handle.result(), 'completed');
});

test('an address that refuses mail keeps its window', async (t) => {
  const send = () => Promise.reject(ApplicationFailure.nonRetryable('refused', failureTypes.mailNotSent));
  const { start, calls } = await codeHarness(t, { send });
  const startedAtMs = performance.now();
  t.is(await (await start(400)).result(), 'expired');
  t.true(performance.now() - startedAtMs >= 390);
  t.deepEqual(calls, ['send 7', 'expire 7']);
});

test('without a mail server the registration ends and the run fails', async (t) => {
  const send = () => Promise.reject(ApplicationFailure.nonRetryable('SMTP_URL', failureTypes.mailNotConfigured));
  const { start, calls } = await codeHarness(t, { send });
  const failure = await t.throwsAsync((await start(LONG_MS)).result(), { instanceOf: WorkflowFailedError });
  t.regex(String(failure.cause?.cause), /SMTP_URL/);
  t.deepEqual(calls, ['send 7', 'expire 7']);
});

test('cancelling the run ends the registration', async (t) => {
  const { start, calls } = await codeHarness(t);
  const handle = await start(LONG_MS);
  await eventually(() => calls.length === 1);
  await handle.cancel();
  t.is(await handle.result(), 'expired');
  t.deepEqual(calls, ['send 7', 'expire 7']);
});
