import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createEmailCodeActivities } from '../../../activities/people/email-code-activities.ts';
import { createMailer } from '../../../activities/mails/mailer.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { type MailInbox, startMailInbox } from '../../../simulator/mail/inbox.ts';
import type { Lifetime } from '../time/lifetime.ts';
import { rememberingLog } from '../quiet-log.ts';
import { testSigningRing } from '../tenants.ts';

export interface CodesByMail {
  readonly inbox: MailInbox;
  readonly temporal: (db: Knex) => Partial<WorkflowStarts>;
  /** Results that the API signalled to workflows. */
  readonly told: { readonly publicId: string; readonly result: string }[];
  readonly codeFor: (email: string) => string;
}

/** Starts a real mail server. The code workflows are replaced by their mail activity. */
export async function codesByMail(t: ExecutionContext<unknown>): Promise<CodesByMail> {
  const inbox = await anInbox(t);
  const mailer = createMailer({ url: inbox.smtpUrl, from: 'no-reply@example.com' });
  t.teardown(() => mailer.close());
  const told: { publicId: string; result: string }[] = [];
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    emailCode: async ({ id }) => {
      const { sendCode } = createEmailCodeActivities({
        db,
        signingRing: testSigningRing,
        mailer,
        log: rememberingLog(),
      });
      await sendCode({ registrationId: id });
      return { state: 'ended', result: 'started' };
    },
    signalCode: (attempt) => void told.push(attempt),
  });
  return { inbox, temporal, told, codeFor: (email) => codeIn(inbox.messages(email)[0]?.text) };
}

export async function anInbox(t: Lifetime): Promise<MailInbox> {
  const inbox = await startMailInbox({ smtpPort: 0, port: 0 });
  t.teardown(() => inbox.stop());
  return inbox;
}

export function codeIn(text: string | undefined): string {
  const code = /^ +(\d{6})$/m.exec(text ?? '')?.[1];
  if (code === undefined) throw new Error(`There is no code in ${JSON.stringify(text)}`);
  return code;
}

export function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
