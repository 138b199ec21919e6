import test from 'ava';
import type { notifyConnection } from '../../../workflows/channels/notify-connection.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('an attempt that could not be recorded is repeated', async (t) => {
  const asked: unknown[] = [];
  const { execute } = await temporalHarness(t, {
    sendConnectionNotice: async (input: unknown) => {
      asked.push(input);
      if (asked.length === 1) throw new Error('database away');
      return 'retrying';
    },
  });
  const args: [{ noticeId: string }] = [{ noticeId: 'ntc_00000001' }];
  t.is(await execute<typeof notifyConnection>('notifyConnection', { args }), 'retrying');
  t.deepEqual(asked, [...args, ...args]);
});
