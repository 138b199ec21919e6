import test from 'ava';
import type { callAlertWebhook } from '../../../workflows/alerts/call-alert-webhook.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('an attempt that could not be recorded is repeated', async (t) => {
  const asked: unknown[] = [];
  const { execute } = await temporalHarness(t, {
    sendAlertCall: async (input: unknown) => {
      asked.push(input);
      if (asked.length === 1) throw new Error('database away');
      return 'retrying';
    },
  });
  const args: [{ callId: string }] = [{ callId: 'alc_00000001' }];
  t.is(await execute<typeof callAlertWebhook>('callAlertWebhook', { args }), 'retrying');
  t.deepEqual(asked, [...args, ...args]);
});
