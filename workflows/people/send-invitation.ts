import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { InvitationActivities } from '../../activities/people/invitation-activities.ts';

const { mailInvitation } = proxyActivities<InvitationActivities>({
  // The mailer's own deadlines end it within 45 s; the rest is room for one row.
  startToCloseTimeout: '60s',
  // An invitation is good for seven days: a mail server that is away for one is waited for, a longer absence is told.
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1s', maximumInterval: '5m' },
});

export interface SendInvitationInput {
  /** `inv_…`; the address and the token stay in the database. */
  readonly invitationId: string;
}

/** Sends an invitation's mail, for as long as the invitation is open and the mail server may come back. */
export async function sendInvitation({ invitationId }: SendInvitationInput): Promise<'sent' | 'ended'> {
  setCurrentDetails('The mail is being sent.');
  const result = await mailInvitation({ invitationId });
  setCurrentDetails(`Ended: ${result}.`);
  return result;
}
