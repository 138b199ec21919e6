import test from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import type { alertDigest } from '../../../workflows/alerts/alert-digest.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const args: [{ organizationId: string; intervalMs: number }] = [{ organizationId: 'org_4fT9aPq2', intervalMs: 1 }];

test('alerts are gathered once and mailed in batches', async (t) => {
  const calls: string[] = [];
  const temporal = await temporalHarness(t, {
    collectAlerts: () => Promise.resolve(void calls.push('collect')),
    mailAlerts: () => Promise.resolve(calls.push('mail') < 4 ? 'more' : 'done'),
  });
  t.is(await temporal.execute<typeof alertDigest>('alertDigest', { args }), 'sent');
  t.deepEqual(calls, ['collect', 'mail', 'mail', 'mail']);
});

test('a run ends when the email cannot be sent', async (t) => {
  const temporal = await temporalHarness(t, {
    collectAlerts: () => Promise.resolve(),
    mailAlerts: () => Promise.reject(ApplicationFailure.nonRetryable('No mail server', 'MailNotConfigured')),
  });
  t.is(await temporal.execute<typeof alertDigest>('alertDigest', { args }), 'unsent');
});
