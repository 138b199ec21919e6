import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import type { ScheduledMessageStanding } from '../../../contract/operations/scheduled-message.ts';
import type { sendScheduledMessage } from '../../../workflows/operations/send-scheduled-message.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const sent: ScheduledMessageStanding = { status: 'sent', waitMs: null };
const scheduledIn = (waitMs: number): ScheduledMessageStanding => ({ status: 'scheduled', waitMs });
const args: [{ scheduledMessageId: string }] = [{ scheduledMessageId: 'sm_00000001' }];

async function runWith(
  t: ExecutionContext,
  answers: readonly (() => Promise<ScheduledMessageStanding>)[],
  settled = scheduledIn(0),
) {
  const calls: string[] = [];
  const sends = answers[Symbol.iterator]();
  const { execute } = await temporalHarness(t, {
    sendDueMessage: () => {
      calls.push('send');
      return sends.next().value!();
    },
    settleMessage: () => {
      calls.push('settle');
      return Promise.resolve(settled);
    },
  });
  const status = await execute<typeof sendScheduledMessage>('sendScheduledMessage', { args });
  return { status, calls };
}

const answer = (standing: ScheduledMessageStanding) => () => Promise.resolve(standing);

test('a message that is due soon is waited for and sent', async (t) => {
  const { status, calls } = await runWith(t, [answer(scheduledIn(200)), answer(scheduledIn(1)), answer(sent)]);
  t.is(status, 'sent');
  t.deepEqual(calls, ['send', 'send', 'send']);
});

test('a message that was moved is left to another run', async (t) => {
  const { status, calls } = await runWith(t, [answer(scheduledIn(3_600_000))]);
  t.is(status, 'scheduled');
  t.deepEqual(calls, ['send', 'settle']);
});

test('a cancelled message ends its run', async (t) => {
  const { status, calls } = await runWith(t, [answer(scheduledIn(100)), answer({ status: 'cancelled', waitMs: null })]);
  t.is(status, 'cancelled');
  t.deepEqual(calls, ['send', 'send']);
});

test('a lost send is settled and never repeated', async (t) => {
  const lost = () => Promise.reject(ApplicationFailure.create({ message: 'The worker is lost' }));
  const { status, calls } = await runWith(t, [lost], { status: 'unknown', waitMs: null });
  t.is(status, 'unknown');
  t.deepEqual(calls, ['send', 'settle']);
});
