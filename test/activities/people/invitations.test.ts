import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { createInvitationActivities } from '../../../activities/people/invitation-activities.ts';
import { MailRefused, type Mail, type Mailer } from '../../../activities/mails/mailer.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { insertInvitation, revokeInvitation } from '../../../db/people/invitations.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

async function anInvitation(t: ExecutionContext, send: (mail: Mail) => Promise<void> = () => Promise.resolve()) {
  const { db, organization, user } = await tenantDatabase(t);
  await db('organizations').update({ name: 'Acme\r\nBcc: everybody' });
  const { tokenSalt } = await readInstallation(db);
  const keys = { secretBox: testSecretBox, tokenSalt };
  const invitation = { email: 'ann@example.com', role: 'member', workspace: null, invitedBy: user.id } as const;
  const invitationId = await insertInvitation(db, keys, { organizationId: organization.id, ...invitation });
  const sealed = (await db('invitations').first()).token_encrypted;
  const token = testSecretBox.open(sealed, sealedContexts.invitationToken(invitationId));
  const mails: Mail[] = [];
  const mailer: Mailer = {
    send: async (mail) => {
      await send(mail);
      mails.push(mail);
    },
    close: () => undefined,
  };
  const log = rememberingLog();
  const deps = { db, secretBox: testSecretBox, mailer, baseUrl: 'https://api.example.com', log };
  const { mailInvitation } = createInvitationActivities(deps);
  return { db, deps, organization, user, invitationId, token, mails, log, mailInvitation };
}

test('the email with organization and token is sent once', async (t) => {
  const { db, invitationId, token, mails, user, organization, mailInvitation } = await anInvitation(t);
  t.is(await mailInvitation({ invitationId }), 'sent');
  t.is(await mailInvitation({ invitationId }), 'sent');
  t.is(mails.length, 1);
  const { to, subject, text, html } = mails[0]!;
  t.is(to, 'ann@example.com');
  t.is(subject, 'You have been invited to join an organization');
  const shown = [token, '"Acme Bcc everybody"', organization.publicId, 'https://api.example.com'];
  for (const part of shown) t.true(text.includes(part));
  t.true(html.includes(`href="https://api.example.com/app/invitations/accept#${token}"`));
  t.true(html.includes('&#34;Acme Bcc everybody&#34;'));
  t.true(text.includes(`Invited by: ${user.email}`));
  t.true(text.includes('expires in 7 days.'));
  t.is(html.split('<a ').length, 2, 'it has one button');
  t.is((await db('invitations').first()).token_encrypted, null);
});

test('a revoked invitation is not sent', async (t) => {
  const { db, invitationId, mails, organization, mailInvitation } = await anInvitation(t);
  await revokeInvitation(db, { organizationId: organization.id, publicId: invitationId });
  t.is(await mailInvitation({ invitationId }), 'ended');
  t.deepEqual(mails, []);
});

for (const [what, error, nonRetryable] of [
  ['unreachable', new Error('The email was not sent: ECONNECTION'), false],
  ['refusing permanently', new MailRefused('The mail server refused: EENVELOPE 550'), true],
] as const) {
  test(`a mail server that is ${what} fails without token or address`, async (t) => {
    const { db, invitationId, token, log, mailInvitation } = await anInvitation(t, () => Promise.reject(error));
    const failure = await t.throwsAsync(mailInvitation({ invitationId }), { instanceOf: ApplicationFailure });
    t.is(failure.nonRetryable, nonRetryable);
    t.is(failure.type, 'MailNotSent');
    const output = JSON.stringify([failure, failure.message, log.lines]);
    for (const secret of [token, 'ann@example.com']) t.false(output.includes(secret));
    t.not((await db('invitations').first()).token_encrypted, null);
  });
}

test('without a mail server or an invitation the activity fails', async (t) => {
  const { deps, invitationId, mailInvitation } = await anInvitation(t);
  const unable = createInvitationActivities({ ...deps, mailer: null });
  const expected = { instanceOf: ApplicationFailure };
  t.is((await t.throwsAsync(unable.mailInvitation({ invitationId }), expected)).type, 'MailNotConfigured');
  const unknown = mailInvitation({ invitationId: 'inv_00000000' });
  t.is((await t.throwsAsync(unknown, expected)).type, 'InvitationNotFound');
});
