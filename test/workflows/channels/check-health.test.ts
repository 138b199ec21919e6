import test from 'ava';
import type { HealthPage } from '../../../contract/channels/health.ts';
import type { checkHealth } from '../../../workflows/channels/check-health.ts';
import type { refreshHealth } from '../../../workflows/channels/refresh-health.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('a check asks for one channel and returns the outcome', async (t) => {
  const asked: unknown[] = [];
  const temporal = await temporalHarness(t, {
    checkChannelHealth: (input: unknown) => {
      asked.push(input);
      return Promise.resolve('failed');
    },
  });
  const args: Parameters<typeof checkHealth> = [{ channelId: 'ch_00000001' }];
  t.is(await temporal.execute<typeof checkHealth>('checkHealth', { args }), 'failed');
  t.deepEqual(asked, [{ channelId: 'ch_00000001' }]);
});

test('due channels are checked page by page until none is left', async (t) => {
  const pages: HealthPage[] = [
    { checkedCount: 10, failedCount: 2, isDone: false, waitMs: 5 },
    { checkedCount: 10, failedCount: 0, isDone: false, waitMs: 0 },
    { checkedCount: 3, failedCount: 1, isDone: true, waitMs: 3_600_000 },
  ];
  const left = pages.values();
  const temporal = await temporalHarness(t, { checkDueHealth: () => Promise.resolve(left.next().value) });
  const args: Parameters<typeof refreshHealth> = [{}];
  t.deepEqual(await temporal.execute<typeof refreshHealth>('refreshHealth', { args }), {
    checkedCount: 23,
    failedCount: 3,
  });
});
