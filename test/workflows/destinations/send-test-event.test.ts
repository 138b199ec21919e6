import test from 'ava';
import type { sendTestEvent } from '../../../workflows/destinations/send-test-event.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('a test event is sent once', async (t) => {
  const asked: unknown[] = [];
  const { execute } = await temporalHarness(t, {
    attemptTestEvent: async (input: unknown) => {
      asked.push(input);
      return 'accepted';
    },
  });
  t.is(await execute<typeof sendTestEvent>('sendTestEvent', { args: [{ testEventId: 3 }] }), 'accepted');
  t.deepEqual(asked, [{ testEventId: 3 }]);
});

test('an internal error is retried a few times', async (t) => {
  let asked = 0;
  const { execute } = await temporalHarness(t, {
    attemptTestEvent: async () => {
      asked++;
      throw new Error('no socket');
    },
  });
  await t.throwsAsync(execute<typeof sendTestEvent>('sendTestEvent', { args: [{ testEventId: 3 }] }));
  t.is(asked, 3);
});
