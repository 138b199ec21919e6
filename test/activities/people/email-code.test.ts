import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { createEmailCodeActivities } from '../../../activities/people/email-code-activities.ts';
import { createMailer, MailRefused, type Mailer } from '../../../activities/people/mailer.ts';
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
  const own = createMailer({ url: inbox.smtpUrl, from: 'no-reply@example.com' });
  t.teardown(() => own.close());
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
  const deps = { db, signingRing, mailer: mailer === undefined ? own : mailer, log };
  const attempt = (otp: string) =>
    db.transaction((trx) => completeRegistration(trx, { purpose, publicId: opening.publicId, otp, signingRing }));
  return { db, inbox, log, attempt, activities: createEmailCodeActivities(deps), registrationId: opening.id };
}

for (const [purpose, told] of [
  ['agent', /A program requests a Messaging channels key to act on your behalf/],
  ['sign_in', /To sign in to Messaging channels, enter this code/],
] as const) {
  test(`the mail for ${purpose} says who asks, the code, how long it is good, and to ignore it otherwise`, async (t) => {
    const { activities, registrationId, inbox, attempt } = await openedRegistration(t, { purpose });
    t.is(await activities.sendCode({ registrationId }), 'sent');
    const { text, subject } = inbox.messages(email)[0]!;
    t.is(subject, 'Your Messaging channels code');
    t.regex(text, told);
    t.regex(text, /expires in 10 minutes/);
    t.regex(text, /ignore this email/);
    t.is((await attempt(codeIn(text))).state, 'completed');
  });
}

test('a repeat sends another code, and only the newest counts', async (t) => {
  const { activities, registrationId, inbox, attempt } = await openedRegistration(t);
  await activities.sendCode({ registrationId });
  await activities.sendCode({ registrationId });
  const [second, first] = inbox.messages(email).map(({ text }) => codeIn(text));
  if (first !== second) t.is((await attempt(first!)).state, 'invalid');
  t.is((await attempt(second!)).state, 'completed');
  t.is(await activities.sendCode({ registrationId }), 'ended');
  t.is(inbox.messages().length, 2);
});

test('neither code nor address is in a log line or a result', async (t) => {
  const { activities, registrationId, inbox, log } = await openedRegistration(t);
  const result = await activities.sendCode({ registrationId });
  const told = JSON.stringify([result, log.lines]);
  t.false(told.includes(codeIn(inbox.messages(email)[0]!.text)) || told.includes('ann@'));
});

test('where no mail server is set, that is the failure, and no code is drawn', async (t) => {
  const { activities, registrationId, db, log } = await openedRegistration(t, { mailer: null });
  const failure = await t.throwsAsync(activities.sendCode({ registrationId }), { instanceOf: ApplicationFailure });
  t.like(failure, { type: 'MailNotConfigured', nonRetryable: true });
  t.regex(failure.message, /SMTP_URL/);
  t.is((await db('email_registrations').first()).code_hash, null);
  t.like(log.lines, [{ level: 'error', event: 'mail.unconfigured' }]);
});

for (const [what, error, nonRetryable] of [
  ['refuses for good', new MailRefused('The mail server refused: EENVELOPE 550'), true],
  ['is away', new Error('The mail was not sent: ECONNECTION'), false],
] as const) {
  test(`a mail server that ${what} is a failure that says so`, async (t) => {
    const mailer = { send: () => Promise.reject(error), close: () => undefined };
    const { activities, registrationId } = await openedRegistration(t, { mailer });
    const failure = await t.throwsAsync(activities.sendCode({ registrationId }), { instanceOf: ApplicationFailure });
    t.like(failure, { type: 'MailNotSent', nonRetryable, message: error.message });
    t.is(failure.cause, undefined);
  });
}

test('ending a registration twice has one effect; one that there is not fails for good', async (t) => {
  const { activities, registrationId } = await openedRegistration(t);
  t.is(await activities.expireRegistration({ registrationId }), 'expired');
  t.is(await activities.expireRegistration({ registrationId }), 'expired');
  const failure = await t.throwsAsync(activities.expireRegistration({ registrationId: 404 }), {
    instanceOf: ApplicationFailure,
  });
  t.true(failure.nonRetryable);
});
