import test from 'ava';
import type { sendTestEvent } from '../../../workflows/destinations/send-test-event.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('a test event is sent by its number, once', async (t) => {
  const asked: unknown[] = [];
  const { execute } = await temporalHarness(t, {
    attemptTestEvent: async (input: unknown) => {
      asked.push(input);
      return 'attempted';
    },
  });
  t.is(await execute<typeof sendTestEvent>('sendTestEvent', { args: [{ testEventId: 3 }] }), 'attempted');
  t.deepEqual(asked, [{ testEventId: 3 }]);
});

test('a fault of ours is repeated, and given up while somebody still waits', async (t) => {
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
