import test from 'ava';
import type { NotificationAttempt } from '../../../contract/notifications/notification.ts';
import type { sendNotification } from '../../../workflows/notifications/send-notification.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const args: [{ notificationId: string }] = [{ notificationId: 'ntc_00000001' }];

test('a notification is attempted again until it ends', async (t) => {
  const attempts: NotificationAttempt[] = [
    { result: 'unsent', waitMs: 1 },
    { result: 'retrying', waitMs: 2 },
    { result: 'early', waitMs: 1 },
    { result: 'delivered', waitMs: null },
  ];
  const { execute } = await temporalHarness(t, { attemptNotification: async () => attempts.shift()! });
  t.is(await execute<typeof sendNotification>('sendNotification', { args }), 'delivered');
  t.deepEqual(attempts, []);
});

test('an attempt that could not be recorded is repeated', async (t) => {
  for (const isTest of [false, true]) {
    const asked: unknown[] = [];
    const { execute } = await temporalHarness(t, {
      attemptNotification: async (input: unknown): Promise<NotificationAttempt> => {
        asked.push(input);
        if (asked.length === 1) throw new Error('database away');
        return { result: 'failed', waitMs: null };
      },
    });
    const input: typeof args = [{ ...args[0], ...(isTest && { isTest }) }];
    t.is(await execute<typeof sendNotification>('sendNotification', { args: input }), 'failed');
    t.deepEqual(asked, [...args, ...args]);
  }
});
