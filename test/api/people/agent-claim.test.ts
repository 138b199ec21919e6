import test, { type ExecutionContext } from 'ava';
import { scopes } from '../../../contract/identity/scopes.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { setOrganizationRole } from '../../../db/people/users.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { testApi, type TestApi } from '../../harness/api/api.ts';
import { codesByMail, type CodesByMail, otherCode } from '../../harness/people/email-codes.ts';
import { aMember, aTenant } from '../../harness/tenants.ts';
import { isWaitedFor } from '../../harness/time/waits.ts';

const email = 'person@example.com';
const CLAIM = 'POST /agent/auth/claim';
const COMPLETE = 'POST /agent/auth/claim/complete';

async function agentApi(t: ExecutionContext): Promise<TestApi & CodesByMail> {
  const codes = await codesByMail(t);
  return { ...(await testApi(t, { starts: codes.temporal })), ...codes };
}

async function claimed({ call, codeFor }: TestApi & CodesByMail, body: { email: string; [field: string]: unknown }) {
  const { body: claim } = await call(CLAIM, { body: { scopes: ['channel.read'], ...body } });
  return { registrationId: claim.registrationId, otp: codeFor(body.email) };
}

test('an agent of a new user gets a key and organization', async (t) => {
  const api = await agentApi(t);
  const asked = ['workspace.read', 'credentials.manage', 'workspace.read'];
  const sinceMs = Date.now();
  const claim = await api.call(CLAIM, { body: { email: 'Person@Example.com', scopes: asked } });
  t.is(claim.status, 202);
  isWaitedFor(t, claim.body.expiresAt, { waitMs: 600_000, sinceMs });

  const otp = api.codeFor(email);
  const { status, body } = await api.call(COMPLETE, { body: { registrationId: claim.body.registrationId, otp } });
  t.is(status, 200);
  t.like(body, { tokenType: 'Bearer', scopes: ['workspace.read', 'credentials.manage'], expiresAt: null });
  t.deepEqual(api.told, [{ publicId: claim.body.registrationId, result: 'completed' }]);

  const key = body.accessToken;
  const list = await api.call(`GET /organizations/${body.organizationPublicId}/workspaces`, { key });
  t.is(list.body.workspaces.length, 1);
  await api.refused('AGENT_SCOPE_INSUFFICIENT', 'GET /platform/channels', { key });
  const audit = await api.db('audit_entries').orderBy('id');
  t.deepEqual(fieldsOf(audit, 'action', 'target_id'), [
    ['organization.created', body.organizationPublicId],
    ['agentCredential.issued', body.credentialId],
  ]);
});

test('an agent gets a key of the oldest or requested organization', async (t) => {
  const api = await agentApi(t);
  const first = await aTenant(api.db);
  const second = await aTenant(api.db);
  const role = { userId: first.user.id, role: 'admin' } as const;
  await setOrganizationRole(api.db, { organizationId: second.organization.id, ...role });
  const plain = await claimed(api, { email: first.user.email });
  t.is((await api.call(COMPLETE, { body: plain })).body.organizationPublicId, first.organization.publicId);
  const organizationId = second.organization.publicId;
  const asking = await claimed(api, { email: first.user.email, organizationId });
  t.is((await api.call(COMPLETE, { body: asking })).body.organizationPublicId, organizationId);
  t.is((await api.db('users')).length, 2);
});

test("a member's agent gets only scopes the member may grant", async (t) => {
  const api = await agentApi(t);
  const { organization } = await aTenant(api.db);
  const member = await aMember(api.db, organization, 'member');
  const all = await claimed(api, { email: member.email, scopes: [...scopes] });
  const { body } = await api.call(COMPLETE, { body: all });
  t.deepEqual(
    scopes.filter((scope) => !body.scopes.includes(scope)),
    ['workspace.manage', 'channel.reveal', 'credentials.manage'],
  );
  const none = await claimed(api, { email: member.email, scopes: ['workspace.manage'] });
  await api.refused('FORBIDDEN', COMPLETE, { body: none });
  await api.refused('OTP_EXPIRED', COMPLETE, { body: none });
});

for (const which of ['of others', 'that is missing']) {
  test(`a claim for an organization ${which} fails after the code`, async (t) => {
    const api = await agentApi(t);
    const { organization } = await aTenant(api.db);
    const organizationId = which === 'of others' ? organization.publicId : 'org_00000000';
    const claim = await claimed(api, { email, organizationId });
    await api.refused('ORGANIZATION_NOT_FOUND', COMPLETE, { body: claim });
    await api.refused('OTP_EXPIRED', COMPLETE, { body: claim });
    t.is((await api.db('users').where({ email })).length, 0);
    t.is((await api.db('agent_credentials')).length, 0);
  });
}

test('known and unknown addresses cause equal answers and statements', async (t) => {
  const api = await agentApi(t);
  const { user } = await aTenant(api.db);
  const statements: string[][] = [];
  const answers = [];
  for (const address of [user.email, 'nobody@example.com']) {
    const seen: string[] = [];
    const note = ({ sql }: { sql: string }) => seen.push(sql);
    api.db.on('query', note);
    answers.push(await api.call(CLAIM, { body: { email: address, scopes: ['channel.read'] } }));
    api.db.off('query', note);
    statements.push(seen);
  }
  const [known, unknown] = answers;
  t.is(known!.status, unknown!.status);
  t.is(known!.body.message, unknown!.body.message);
  t.deepEqual(Object.keys(known!.body), Object.keys(unknown!.body));
  t.deepEqual(statements[0], statements[1]);
  t.false(statements.flat().some((sql) => /\busers\b/.test(sql)));
});

test('five wrong codes cause an audited lock with Retry-After', async (t) => {
  const api = await agentApi(t);
  const { registrationId, otp } = await claimed(api, { email });
  const wrong = { registrationId, otp: otherCode(otp) };
  for (const triesLeft of [4, 3, 2, 1]) {
    const { body } = await api.refused('OTP_INVALID', COMPLETE, { body: wrong });
    t.true(body.message.includes(`Tries left: ${triesLeft}.`));
  }
  const { headers } = await api.refused('OTP_LOCKED', COMPLETE, { body: wrong });
  t.true(Number(headers.get('retry-after')) > 300);
  await api.refused('OTP_LOCKED', COMPLETE, { body: { registrationId, otp } });
  t.deepEqual(fieldsOf(api.told, 'result'), ['refused', 'refused', 'refused', 'refused', 'locked']);
  const [entry] = await api.db('audit_entries');
  t.like(entry, { action: 'registration.locked', target_id: registrationId, organization_id: null });
  t.truthy(entry.client_address);
});

test('a code works once, in time and for its own registration', async (t) => {
  const api = await agentApi(t);
  const used = await claimed(api, { email });
  await api.call(COMPLETE, { body: used });
  await api.refused('OTP_EXPIRED', COMPLETE, { body: used });
  const late = await claimed(api, { email });
  await api.db('email_registrations').update({ expires_at: new Date() });
  await api.refused('OTP_EXPIRED', COMPLETE, { body: late });
  await api.refused('OTP_EXPIRED', COMPLETE, { body: { registrationId: 'reg_00000000', otp: '123456' } });
});

test('the sixth claim of an hour for one address is refused', async (t) => {
  const api = await agentApi(t);
  const { user } = await aTenant(api.db);
  for (const address of [user.email, email]) {
    for (let count = 0; count < 5; count++) await claimed(api, { email: address });
    const limited = await api.refused('RATE_LIMITED', CLAIM, { body: { email: address, scopes: ['channel.read'] } });
    t.true(Number(limited.headers.get('retry-after')) > 3_000);
    t.is(api.inbox.messages(address).length, 5);
  }
});

test('an invalid claim is refused with every wrong field named', async (t) => {
  const api = await agentApi(t);
  const wrong = [
    [
      { email: 'nowhere', scopes: ['everything'], organizationId: 'org_1', more: 1 },
      /email.*scopes.*organizationId.*more/,
    ],
    [{ email, scopes: [] }, /scopes/],
    [{ email: `a@b.c, ${email}`, scopes: ['channel.read'] }, /email/],
    [{ email: `${email}\r\nBcc: x@example.com`, scopes: ['channel.read'] }, /email/],
    [{ email: `${'a'.repeat(250)}@example.com`, scopes: ['channel.read'] }, /email/],
  ] as const;
  for (const [body, told] of wrong)
    t.regex((await api.refused('VALIDATION_ERROR', CLAIM, { body })).body.message, told);
  for (const body of [
    { registrationId: 'reg_1', otp: '123456' },
    { registrationId: 'reg_00000000', otp: '12345' },
    {},
  ]) {
    await api.refused('VALIDATION_ERROR', COMPLETE, { body });
  }
  t.deepEqual(api.inbox.messages(), []);
});

test('a claim during a Temporal outage leaves no registration', async (t) => {
  const api = await testApi(t);
  const { headers } = await api.refused('WORKFLOW_UNAVAILABLE', CLAIM, { body: { email, scopes: ['channel.read'] } });
  t.truthy(headers.get('retry-after'));
  t.is((await api.db('email_registrations')).length, 0);
});

test('a code with an unknown sending outcome is invalid', async (t) => {
  const temporal: Partial<WorkflowStarts> = {
    emailCode: () => Promise.resolve({ state: 'unknown', cause: null }),
  };
  const api = await testApi(t, { starts: temporal });
  await api.refused('PLATFORM_OUTCOME_UNKNOWN', CLAIM, { body: { email, scopes: ['channel.read'] } });
  t.like(await api.db('email_registrations').first(), { status: 'expired' });
});
