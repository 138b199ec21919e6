import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { type AlertDigestInput, MAIL_CLAIM_MS, MAX_LISTED_ALERTS } from '../../contract/alerts/digest.ts';
import { failureTypes } from '../../contract/failures.ts';
import { collectDigest } from '../../db/alerts/digests.ts';
import {
  claimMail,
  endMail,
  postponeMail,
  postponeMails,
  readMailedAlerts,
  type UnsentMail,
} from '../../db/alerts/mails.ts';
import type { Log } from '../../process/log.ts';
import { MailRefused, type Mailer } from '../mails/mailer.ts';
import { alertMail } from './alert-mail.ts';

export type AlertActivities = ReturnType<typeof createAlertActivities>;

export interface AlertActivityDeps {
  readonly db: Knex;
  readonly mailer: Mailer | null;
  readonly baseUrl: string;
  readonly log: Log;
}

/** A batch begins no email after this time, so that it ends within the activity's timeout. */
const BATCH_MS = 10_000;
/** After this many failures in a row, the mail server is down rather than a mailbox. */
const MAX_FAILED_IN_ROW = 3;

export function createAlertActivities({ db, mailer, baseUrl, log }: AlertActivityDeps) {
  return {
    /** A repeat gathers nothing more, because the first digest is too recent. */
    async collectAlerts({ organizationId, intervalMs }: AlertDigestInput): Promise<void> {
      const digest = await collectDigest(db, { organizationPublicId: organizationId, intervalMs });
      if (digest) log.info('alerts.collected', { organizationId, ...digest });
    },

    /**
     * Records each email before the next one, so that a repeat sends at most the last one again. An email that could not
     * be sent waits, and the others are sent.
     */
    async mailAlerts({ organizationId }: { readonly organizationId: string }): Promise<'done' | 'more'> {
      const startedAtMs = performance.now();
      let failedInRow = 0;
      while (performance.now() - startedAtMs < BATCH_MS) {
        const mail = await claimMail(db, { organizationPublicId: organizationId, claimMs: MAIL_CLAIM_MS });
        if (!mail) return 'done';
        try {
          await endMail(db, { ...mail, as: await sendMail(mail, organizationId) });
          failedInRow = 0;
        } catch (error) {
          await postponeMail(db, mail);
          failedInRow += 1;
          const isUnsent = error instanceof ApplicationFailure && error.type === failureTypes.mailNotSent;
          if (!isUnsent || failedInRow === MAX_FAILED_IN_ROW) throw error;
        }
      }
      return 'more';
    },
  };

  async function sendMail(mail: UnsentMail, organizationId: string): Promise<'sent' | 'failed'> {
    const { digestId, userId, userPublicId, email, organizationName } = mail;
    const alerts = await readMailedAlerts(db, { digestId, userId, limit: MAX_LISTED_ALERTS });
    if (alerts.length === 0) return 'failed'; // wanted no longer
    if (!mailer) {
      log.error('mail.unconfigured', { organizationId, setting: 'SMTP_URL' });
      await postponeMails(db, { organizationPublicId: organizationId });
      const message = 'No mail server is configured. Set SMTP_URL for the worker.';
      throw ApplicationFailure.nonRetryable(message, failureTypes.mailNotConfigured);
    }
    const url = `${baseUrl}/app/${organizationId}`;
    try {
      await mailer.send({ to: email, ...alertMail({ alerts, organizationName, url }) });
    } catch (error) {
      const isRefused = error instanceof MailRefused;
      const reason = error instanceof Error ? error.message : 'unknown';
      log.warn('alertMail.sendFailed', { organizationId, userId: userPublicId, reason, willRetry: !isRefused });
      // Omits the cause, which may quote the address or the email.
      if (!isRefused) throw ApplicationFailure.create({ message: reason, type: failureTypes.mailNotSent });
      return 'failed';
    }
    log.info('alertMail.sent', { organizationId, userId: userPublicId });
    return 'sent';
  }
}
