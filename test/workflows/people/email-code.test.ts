import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import { failureTypes } from '../../../contract/failures.ts';
import type { emailCode } from '../../../workflows/people/email-code.ts';
import { codeRefused, registrationEnded } from '../../../workflows/messages/email-codes.ts';
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

test('a registration that nobody completes ends with its window', async (t) => {
  const { start, calls } = await codeHarness(t);
  t.is(await (await start(300)).result(), 'expired');
  t.deepEqual(calls, ['send 7', 'expire 7']);
});

for (const how of ['completed', 'locked'] as const) {
  test(`a registration that was ${how} ends at once, and is not touched any more`, async (t) => {
    const { start, calls } = await codeHarness(t);
    const handle = await start(LONG_MS);
    await handle.signal(codeRefused);
    await handle.signal(registrationEnded, how);
    t.is(await handle.result(), how);
    t.deepEqual(calls, ['send 7']);
  });
}

test('an end that no signal told of is learnt from the database', async (t) => {
  const { start } = await codeHarness(t, { expire: async () => 'completed' });
  t.is(await (await start(300)).result(), 'completed');
});

test('a mail server that is away is tried again', async (t) => {
  let tries = 0;
  const send = async () => {
    tries++;
    if (tries < 2) throw ApplicationFailure.create({ message: 'away', type: failureTypes.mailNotSent });
    return 'sent' as const;
  };
  const { start } = await codeHarness(t, { send });
  const handle = await start(LONG_MS);
  await eventually(() => tries === 2);
  await handle.signal(registrationEnded, 'completed');
  t.is(await handle.result(), 'completed');
});

test('an address that takes no mail keeps its window like any other', async (t) => {
  const send = () => Promise.reject(ApplicationFailure.nonRetryable('refused', failureTypes.mailNotSent));
  const { start, calls } = await codeHarness(t, { send });
  const startedAtMs = performance.now();
  t.is(await (await start(400)).result(), 'expired');
  t.true(performance.now() - startedAtMs >= 390);
  t.deepEqual(calls, ['send 7', 'expire 7']);
});

test('where no mail server is set the registration ends at once, and the run fails with the reason', async (t) => {
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
