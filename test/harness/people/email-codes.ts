import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createEmailCodeActivities } from '../../../activities/people/email-code-activities.ts';
import { createMailer } from '../../../activities/people/mailer.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { type MailInbox, startMailInbox } from '../../../simulator/mail/inbox.ts';
import { noTemporal } from '../api/api.ts';
import { rememberingLog } from '../quiet-log.ts';
import { testSigningRing } from '../tenants.ts';

export interface CodesByMail {
  readonly inbox: MailInbox;
  /** For `testApi`: starting the workflow of a code sends it at once. */
  readonly temporal: (db: Knex) => WorkflowStarts;
  /** What the API told workflows. */
  readonly told: { readonly publicId: string; readonly result: string }[];
  /** The newest code that went to this address. */
  readonly codeFor: (email: string) => string;
}

/** A real mail server, and workflows of codes stood in for by their one activity that matters to routes. */
export async function codesByMail(t: ExecutionContext<unknown>): Promise<CodesByMail> {
  const inbox = await anInbox(t);
  const mailer = createMailer({ url: inbox.smtpUrl, from: 'no-reply@example.com' });
  t.teardown(() => mailer.close());
  const told: { publicId: string; result: string }[] = [];
  const temporal = (db: Knex): WorkflowStarts => ({
    ...noTemporal,
    startEmailCode: async ({ id }) => {
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

export async function anInbox(t: ExecutionContext<unknown>): Promise<MailInbox> {
  const inbox = await startMailInbox({ smtpPort: 0, port: 0 });
  t.teardown(() => inbox.stop());
  return inbox;
}

/** The code in the text of a mail. */
export function codeIn(text: string | undefined): string {
  const code = /^ +(\d{6})$/m.exec(text ?? '')?.[1];
  if (code === undefined) throw new Error(`There is no code in ${JSON.stringify(text)}`);
  return code;
}

/** A code that is wrong for certain. */
export function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
