import { randomInt } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { CODE_DIGITS } from '../../contract/identity/email-code.ts';
import { failureTypes } from '../../contract/failures.ts';
import { setCode } from '../../db/people/email-codes.ts';
import { expireRegistration } from '../../db/people/email-registrations.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';
import type { Log } from '../../process/log.ts';
import { codeMail } from './code-mail.ts';
import { MailRefused, type Mailer } from '../mails/mailer.ts';

export type EmailCodeActivities = ReturnType<typeof createEmailCodeActivities>;

export interface EmailCodeDeps {
  readonly db: Knex;
  readonly signingRing: SigningRing;
  readonly mailer: Mailer | null;
  readonly log: Log;
}

interface RegistrationInput {
  readonly registrationId: number;
}

const noMailer = 'No mail server is configured. Set SMTP_URL for the worker.';

export function createEmailCodeActivities({ db, signingRing, mailer, log }: EmailCodeDeps) {
  return {
    /** A repeat sends a new code, which replaces the previous one. */
    async sendCode({ registrationId }: RegistrationInput): Promise<'sent' | 'ended'> {
      if (!mailer) {
        log.error('mail.unconfigured', { registrationId, setting: 'SMTP_URL' });
        throw ApplicationFailure.nonRetryable(noMailer, failureTypes.mailNotConfigured);
      }
      const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
      const receiver = await setCode(db, { id: registrationId, code, key: signingRing.active('email-code') });
      if (!receiver) return 'ended';
      const { publicId, email, purpose, scopes, windowMs } = receiver;
      try {
        await mailer.send({ to: email, ...codeMail({ code, purpose, scopes, windowMs }) });
      } catch (error) {
        throw mailFailure(error, publicId);
      }
      log.info('code.sent', { registrationId: publicId, purpose });
      return 'sent';
    },

    async expireRegistration({ registrationId }: RegistrationInput): Promise<'completed' | 'locked' | 'expired'> {
      const status = await expireRegistration(db, { id: registrationId });
      if (status === undefined || status === 'open') {
        const message = `Registration ${registrationId} not found`;
        throw ApplicationFailure.nonRetryable(message, failureTypes.registrationNotFound);
      }
      return status;
    },
  };

  /** Omits `cause`, which may quote the address or the email. */
  function mailFailure(error: unknown, publicId: string): ApplicationFailure {
    const isRefused = error instanceof MailRefused;
    const reason = error instanceof Error ? error.message : 'unknown';
    log.warn('code.sendFailed', { registrationId: publicId, reason, willRetry: !isRefused });
    return ApplicationFailure.create({ message: reason, type: failureTypes.mailNotSent, nonRetryable: isRefused });
  }
}
