import test from 'ava';
import type { sendInvitation } from '../../../workflows/people/send-invitation.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('an invitation is mailed, again where the mail server was away', async (t) => {
  const asked: unknown[] = [];
  const { execute } = await temporalHarness(t, {
    mailInvitation: async (input: unknown) => {
      asked.push(input);
      if (asked.length === 1) throw new Error('away');
      return 'sent';
    },
  });
  const args: [{ invitationId: string }] = [{ invitationId: 'inv_00000001' }];
  t.is(await execute<typeof sendInvitation>('sendInvitation', { args }), 'sent');
  t.deepEqual(asked, [...args, ...args]);
});
