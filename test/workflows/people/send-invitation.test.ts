import test from 'ava';
import type { sendInvitation } from '../../../workflows/people/send-invitation.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('sending an invitation is retried', async (t) => {
  const asked: unknown[] = [];
  const { execute } = await temporalHarness(t, {
    mailInvitation: async (input: unknown) => {
      asked.push(input);
      if (asked.length === 1) throw new Error('mail server unreachable');
      return 'sent';
    },
  });
  const args: [{ invitationId: string }] = [{ invitationId: 'inv_00000001' }];
  t.is(await execute<typeof sendInvitation>('sendInvitation', { args }), 'sent');
  t.deepEqual(asked, [...args, ...args]);
});
