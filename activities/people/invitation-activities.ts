import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import { findInvitationMail, forgetInvitationToken } from '../../db/people/invitations.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Log } from '../../process/log.ts';
import { invitationMail } from './invitation-mail.ts';
import { MailRefused, type Mailer } from '../mails/mailer.ts';

export type InvitationActivities = ReturnType<typeof createInvitationActivities>;

export interface InvitationDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly mailer: Mailer | null;
  readonly baseUrl: string;
  readonly log: Log;
}

export function createInvitationActivities({ db, secretBox, mailer, baseUrl, log }: InvitationDeps) {
  return {
    /** Deletes the stored token, so that a repeat sends nothing. */
    async mailInvitation({ invitationId }: { invitationId: string }): Promise<'sent' | 'ended'> {
      if (!mailer) {
        log.error('mail.unconfigured', { invitationId, setting: 'SMTP_URL' });
        const message = 'No mail server is configured. Set SMTP_URL for the worker.';
        throw ApplicationFailure.nonRetryable(message, failureTypes.mailNotConfigured);
      }
      const invitation = await findInvitationMail(db, invitationId);
      if (!invitation) {
        const message = `Invitation ${invitationId} not found`;
        throw ApplicationFailure.nonRetryable(message, failureTypes.invitationNotFound);
      }
      if (!invitation.isOpen) return 'ended';
      if (invitation.tokenEncrypted === null) return 'sent';
      const token = secretBox.open(invitation.tokenEncrypted, sealedContexts.invitationToken(invitationId));
      try {
        await mailer.send({ to: invitation.email, ...invitationMail({ ...invitation, token, baseUrl }) });
      } catch (error) {
        throw mailFailure(error, invitationId);
      }
      await forgetInvitationToken(db, invitationId);
      log.info('invitation.sent', { invitationId });
      return 'sent';
    },
  };

  /** Omits `cause`, which may quote the address or the email. */
  function mailFailure(error: unknown, invitationId: string): ApplicationFailure {
    const isRefused = error instanceof MailRefused;
    const reason = error instanceof Error ? error.message : 'unknown';
    log.warn('invitation.sendFailed', { invitationId, reason, willRetry: !isRefused });
    return ApplicationFailure.create({ message: reason, type: failureTypes.mailNotSent, nonRetryable: isRefused });
  }
}
