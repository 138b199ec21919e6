import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { InvitationActivities } from '../../activities/people/invitation-activities.ts';
import { activityQueue } from '../runs/this-run.ts';

const { mailInvitation } = proxyActivities<InvitationActivities>({
  taskQueue: activityQueue('mails'),
  // Longer than the mailer's timeouts, 40 s in all.
  startToCloseTimeout: '60s',
  // Covers an outage of the mail server of up to a day.
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1s', maximumInterval: '5m' },
});

export interface SendInvitationInput {
  readonly invitationId: string;
}

/** Mails an invitation unless it has ended. */
export async function sendInvitation({ invitationId }: SendInvitationInput): Promise<'sent' | 'ended'> {
  setCurrentDetails('Sending the email.');
  const result = await mailInvitation({ invitationId });
  setCurrentDetails(`Ended: ${result}.`);
  return result;
}
