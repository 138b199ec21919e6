import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeIn } from '../harness/people/email-codes.ts';
import { eventually } from '../harness/eventually.ts';
import { type Cli, testCli } from './cli-run.ts';
import type { FlowStage } from './flow-stage.ts';

async function codeFrom({ system: { inbox } }: FlowStage, email: string, count = 1): Promise<string> {
  const [newest] = await eventually(() => inbox.messages(email).length >= count && inbox.messages(email));
  return codeIn(newest?.text);
}

export async function signingIn(stage: FlowStage): Promise<void> {
  const { t, system } = stage;
  const cli = await testCli(t, { BASE_URL: system.apiUrls[0]! });
  const email = 'ann@example.com';
  t.regex(await cli.fails(4, 'whoami'), /channels login/);
  t.regex(await cli.fails(2, 'login'), /--email/);
  t.regex(await cli.fails(2, ['login', '--email', email, '--scopes', 'nonsense']), /Unknown scope 'nonsense'/);
  const { registrationId } = await cli.json(`login --email ${email} --scopes read`);
  const code = await codeFrom(stage, email);
  t.regex(await cli.fails(2, `login --registration ${registrationId}`), /--code-stdin/);
  const wrong = { stdin: code === '000000' ? '000001' : '000000' };
  t.regex(await cli.fails(4, `login --registration ${registrationId} --code-stdin`, wrong), /OTP_INVALID/);
  const end = await cli.run(`login --registration ${registrationId} --code-stdin`, { stdin: `${code}\n` });
  t.is(end.code, 0, end.stderr);
  t.false(/hmok_/.test(end.stdout + end.stderr));
  const file = join(cli.configFolder, 'config.json');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.is((await stat(cli.configFolder)).mode & 0o777, 0o700);
  const identity = await cli.json('whoami');
  t.is(identity.user.email, email);
  t.deepEqual(identity.credential.scopes, ['workspace.read', 'channel.read', 'messages.read', 'deliveries.read']);
  t.deepEqual((await cli.json('list')).channels, [], 'the only workspace is the default');
  t.regex(await cli.fails(4, 'whoami --base-url http://127.0.0.1:1'), /is not sent to http:\/\/127\.0\.0\.1:1/);

  await twoProfiles(stage, { cli, email });
}

async function twoProfiles(stage: FlowStage, { cli, email }: { cli: Cli; email: string }): Promise<void> {
  const { t } = stage;
  const answers = [email, 'all', () => codeFrom(stage, email, 2)];
  const asked = await cli.run('login --profile work', { terminal: { columns: 200, answers } });
  t.is(asked.code, 0, asked.stderr);
  t.regex(asked.stdout, /Signed in.*ann@example\.com[^]*workspace\.manage/);
  await cli.run('profiles use work');
  t.is((await cli.json('profiles list')).profiles.length, 2);
  const { workspaces } = await cli.json('workspaces list');
  await cli.json(`profiles set --workspace ${workspaces[0].id}`);
  t.is((await cli.json('whoami')).workspaceId, workspaces[0].id);
  t.true((await cli.json('logout')).ended);
  t.regex(await cli.fails(4, 'whoami'), /You are not signed in/);
  const { credential } = await cli.json('whoami --profile default');
  await cli.json(`credentials revoke ${credential.id} --yes --profile default`);
  t.regex(await cli.fails(4, 'whoami --profile default'), /AUTH_REQUIRED/);
  await cli.run('profiles delete work --yes');
  t.regex(await cli.fails(2, 'profiles use work'), /No profile 'work'/);
}

export async function session(stage: FlowStage): Promise<void> {
  const { t, system } = stage;
  const cli = await testCli(t, { BASE_URL: system.apiUrls[0]! });
  const email = 'ben@example.com';
  const answers = [() => codeFrom(stage, email)];
  const end = await cli.run(`login --session --email ${email}`, { terminal: { answers } });
  t.is(end.code, 0, end.stderr);
  const { apiKey, organizationPublicId } = await cli.json('keys create Build');
  const org = `--organization ${organizationPublicId}`;
  await invitation(stage, { invited: cli, email });
  // The access token has expired. The two commands must refresh once, because reusing a refresh token ends the session.
  const later = { now: () => Date.now() + 3_600_000 };
  const both = await Promise.all([cli.run(`keys list ${org}`, later), cli.run(`workspaces list ${org}`, later)]);
  t.deepEqual(both.map(({ code }) => code), [0, 0], both.map(({ stderr }) => stderr).join('')); // prettier-ignore
  const key = await cli.run('login --key-stdin --profile build', { stdin: apiKey });
  t.is(key.code, 0, key.stderr);
  t.false((await cli.json('logout --profile build')).ended);
  t.true((await cli.json('logout')).ended);
}

async function invitation(stage: FlowStage, { invited, email }: { invited: Cli; email: string }): Promise<void> {
  const { t, cli: admin, system } = stage;
  const { invitationId } = await admin.json(`invitations create ${email} --role member`);
  const link = await eventually(() => /http\S+accept#\S+/.exec(system.inbox.messages(email)[0]?.text ?? '')?.[0]);
  const joined = await invited.json('invitations accept', { stdin: `${link}\n` });
  t.is(joined.organizationId, system.tenant.organization.publicId);
  t.is((await admin.json('invitations list')).invitations[0].status, 'accepted');
  t.true((await admin.json('members list')).members.some((member: { email: string }) => member.email === email));
  t.regex(await admin.fails(1, `invitations revoke ${invitationId} --yes`), /INVITATION_NOT_FOUND/);
  const open = await admin.json('invitations create cat@example.com');
  t.is((await admin.json(`invitations revoke ${open.invitationId} --yes`)).status, 'revoked');
  t.regex(await invited.fails(2, 'keys list'), /access to 2 organizations/);
}
