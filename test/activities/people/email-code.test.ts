import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { createEmailCodeActivities } from '../../../activities/people/email-code-activities.ts';
import { createMailer, MailRefused, type Mailer } from '../../../activities/mails/mailer.ts';
import { completeRegistration } from '../../../db/people/email-codes.ts';
import { openRegistration } from '../../../db/people/email-registrations.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { anInbox, codeIn } from '../../harness/people/email-codes.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { testSigningRing } from '../../harness/tenants.ts';

const email = 'ann@example.com';
const signingRing = testSigningRing;

async function openedRegistration(
  t: ExecutionContext,
  { mailer, purpose = 'agent' }: { mailer?: Mailer | null; purpose?: 'agent' | 'sign_in' } = {},
) {
  const { db } = await testDatabase(t);
  const inbox = await anInbox(t);
  const realMailer = createMailer({ url: inbox.smtpUrl, from: 'no-reply@example.com' });
  t.teardown(() => realMailer.close());
  const opening = await openRegistration(db, {
    purpose,
    email,
    scopes: purpose === 'agent' ? ['channel.read'] : null,
    organizationId: null,
    clientHash: Buffer.from('client'),
    networkHash: null,
    browserHash: null,
    windowMs: 600_000,
    limits: { perAddress: 5, perClient: 20 },
  });
  if (opening.state !== 'opened') throw new Error('limited');
  const log = rememberingLog();
  const deps = { db, signingRing, mailer: mailer === undefined ? realMailer : mailer, log };
  const attempt = (otp: string) =>
    db.transaction((trx) => completeRegistration(trx, { purpose, publicId: opening.publicId, otp, signingRing }));
  return { db, inbox, log, attempt, activities: createEmailCodeActivities(deps), registrationId: opening.id };
}

for (const [purpose, introduction] of [
  ['agent', /A program requests a Messaging channels key to act on your behalf/],
  ['sign_in', /To sign in to Messaging channels, enter this code/],
] as const) {
  test(`the email for ${purpose} contains purpose, code and validity`, async (t) => {
    const { activities, registrationId, inbox, attempt } = await openedRegistration(t, { purpose });
    t.is(await activities.sendCode({ registrationId }), 'sent');
    const { text, html, subject } = inbox.messages(email)[0]!;
    t.is(subject, `${codeIn(text)} is your Messaging channels code`);
    t.true(html?.includes(`>${codeIn(text)}</p>`));
    t.regex(text, introduction);
    t.regex(text, /expires in 10 minutes/);
    t.regex(text, /ignore this email/);
    t.is((await attempt(codeIn(text))).state, 'completed');
  });
}

test('a repeat sends a new code, which replaces the previous one', async (t) => {
  const { activities, registrationId, inbox, attempt } = await openedRegistration(t);
  await activities.sendCode({ registrationId });
  await activities.sendCode({ registrationId });
  const [second, first] = inbox.messages(email).map(({ text }) => codeIn(text));
  if (first !== second) t.is((await attempt(first!)).state, 'invalid');
  t.is((await attempt(second!)).state, 'completed');
  t.is(await activities.sendCode({ registrationId }), 'ended');
  t.is(inbox.messages().length, 2);
});

test('log and result contain neither code nor address', async (t) => {
  const { activities, registrationId, inbox, log } = await openedRegistration(t);
  const result = await activities.sendCode({ registrationId });
  const output = JSON.stringify([result, log.lines]);
  t.false(output.includes(codeIn(inbox.messages(email)[0]!.text)) || output.includes('ann@'));
});

test('without a mail server the activity fails and stores no code', async (t) => {
  const { activities, registrationId, db, log } = await openedRegistration(t, { mailer: null });
  const failure = await t.throwsAsync(activities.sendCode({ registrationId }), { instanceOf: ApplicationFailure });
  t.like(failure, { type: 'MailNotConfigured', nonRetryable: true });
  t.regex(failure.message, /SMTP_URL/);
  t.is((await db('email_registrations').first()).code_hash, null);
  t.like(log.lines, [{ level: 'error', event: 'mail.unconfigured' }]);
});

for (const [what, error, nonRetryable] of [
  ['refuses permanently', new MailRefused('The mail server refused: EENVELOPE 550'), true],
  ['is unreachable', new Error('The email was not sent: ECONNECTION'), false],
] as const) {
  test(`a mail server that ${what} fails the activity`, async (t) => {
    const mailer = { send: () => Promise.reject(error), close: () => undefined };
    const { activities, registrationId } = await openedRegistration(t, { mailer });
    const failure = await t.throwsAsync(activities.sendCode({ registrationId }), { instanceOf: ApplicationFailure });
    t.like(failure, { type: 'MailNotSent', nonRetryable, message: error.message });
    t.is(failure.cause, undefined);
  });
}

test('expiring a registration is idempotent; an unknown one fails', async (t) => {
  const { activities, registrationId } = await openedRegistration(t);
  t.is(await activities.expireRegistration({ registrationId }), 'expired');
  t.is(await activities.expireRegistration({ registrationId }), 'expired');
  const failure = await t.throwsAsync(activities.expireRegistration({ registrationId: 404 }), {
    instanceOf: ApplicationFailure,
  });
  t.true(failure.nonRetryable);
});
