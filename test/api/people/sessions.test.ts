import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { decodeJwt, SignJWT } from 'jose';
import { setCode } from '../../../db/people/email-codes.ts';
import { insertInvitation } from '../../../db/people/invitations.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { testApi, type TestApi } from '../../harness/api/api.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aKey, aMember, aTenant, testSecretBox, testSigningRing } from '../../harness/tenants.ts';

const CODE = '246813';

async function aSignInApi(t: ExecutionContext, others: { deployment?: 'development' } = {}): Promise<TestApi> {
  return await testApi(t, {
    ...others,
    starts: (db) => ({
      emailCode: async ({ id }) => {
        await setCode(db, { id, code: CODE, key: testSigningRing.active('email-code') });
        return { state: 'ended', result: 'started' };
      },
    }),
  });
}

async function signIn({ call }: TestApi, email: string) {
  const { body } = await call('POST /auth/sign-in', { body: { email } });
  return await call('POST /auth/sign-in/complete', { body: { registrationId: body.registrationId, otp: CODE } });
}

const auditOf = async ({ db }: TestApi) => (await db('audit_entries').orderBy('id')).map(({ action }) => action);

test('a known and an unknown address get the same sign-in answer', async (t) => {
  const api = await aSignInApi(t);
  const { user } = await aTenant(api.db);
  const answers = await Promise.all(
    [user.email, 'nobody@example.com'].map((email) => api.call('POST /auth/sign-in', { body: { email } })),
  );
  t.deepEqual(answers.map(({ status }) => status), [202, 202]); // prettier-ignore
  t.deepEqual(...(answers.map(({ body }) => ({ ...body, registrationId: '', expiresAt: '' })) as [object, object]));
});

test('the right code starts a session with cookie and tokens', async (t) => {
  const api = await aSignInApi(t);
  const { user, organization } = await aTenant(api.db);
  const { status, headers, body } = await signIn(api, ` ${user.email.toUpperCase()} `);
  t.is(status, 200);
  t.deepEqual(body.user, { id: user.publicId, email: user.email });
  t.deepEqual(body.organizations, [{ organizationId: organization.publicId, name: organization.name, role: 'admin' }]);
  t.is(body.expiresIn, 900);
  const [cookie = '', mark = ''] = headers.getSetCookie();
  t.regex(cookie, /^__Host-service_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
  t.regex(mark, /^__Host-service_known=[\w.-]{98}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/);
  for (const by of [{ cookie }, { authorization: `Bearer ${body.accessToken}` }]) {
    const who = await api.call('GET /auth/session', { headers: by });
    t.deepEqual(who.body, {
      user: body.user,
      organizations: body.organizations,
      credential: { kind: 'user', id: user.publicId, scopes: null, workspaceIds: null },
    });
  }
  t.deepEqual(await auditOf(api), ['session.started']);
});

test('development cookies have plain names and work over HTTP', async (t) => {
  const api = await aSignInApi(t, { deployment: 'development' });
  const { headers } = await signIn(api, 'ada@example.com');
  const cookies = headers.getSetCookie();
  t.deepEqual(cookies.map((cookie) => cookie.split('=')[0]), ['service_session', 'service_known']); // prettier-ignore
  t.notRegex(cookies.join(), /Secure/);
  t.is((await api.call('GET /auth/session', { headers: { cookie: cookies[0] ?? '' } })).status, 200);
});

test('production ignores a session cookie without the __Host- prefix', async (t) => {
  const { refused, call, db, user } = await tenantStage(t);
  const { cookie, keptCookie } = await aSession(db, user);
  t.is(cookie, `__Host-service_session=${keptCookie.value}`);
  t.is((await call('GET /auth/session', { headers: { cookie } })).status, 200);
  await refused('AUTH_REQUIRED', 'GET /auth/session', { headers: { cookie: `service_session=${keptCookie.value}` } });
});

for (const [deployment, name] of [
  ['production', '__Host-service_session'],
  ['development', 'service_session'],
] as const) {
  test(`the OpenAPI document names the ${deployment} cookie`, async (t) => {
    const { url } = await testApi(t, { deployment });
    const document = await (await fetch(`${url}/openapi.json`)).json();
    t.like(document, { components: { securitySchemes: { session: { in: 'cookie', name } } } });
  });
}

test('an invited person gets no organization of their own', async (t) => {
  const api = await aSignInApi(t);
  const { organization, user } = await aTenant(api.db);
  const invitation = { organizationId: organization.id, email: 'ada@example.com', role: 'member' } as const;
  const keys = { secretBox: testSecretBox, tokenSalt: Buffer.alloc(32) };
  await insertInvitation(api.db, keys, { ...invitation, workspace: null, invitedBy: user.id });
  t.deepEqual((await signIn(api, 'ada@example.com')).body.organizations, []);
  await api.db('invitations').update({ expires_at: new Date() });
  t.is((await signIn(api, 'ada@example.com')).body.organizations.length, 1);
});

test('an invited person can create an organization of their own', async (t) => {
  const api = await aSignInApi(t);
  const { organization, user, apiKey } = await aTenant(api.db);
  const invitation = { organizationId: organization.id, email: 'ada@example.com', role: 'member' } as const;
  const keys = { secretBox: testSecretBox, tokenSalt: Buffer.alloc(32) };
  await insertInvitation(api.db, keys, { ...invitation, workspace: null, invitedBy: user.id });
  const { accessToken: key } = (await signIn(api, 'ada@example.com')).body;
  const created = await api.call('POST /organizations', { key, body: { name: 'Ada Ltd' } });
  t.is(created.status, 201);
  t.like(created.body, { name: 'Ada Ltd' });
  const { organizations } = (await api.call('GET /auth/session', { key })).body;
  t.deepEqual(organizations.map(({ role, organizationId }: { role: string; organizationId: string }) => [role, organizationId]), [['admin', created.body.id]]); // prettier-ignore
  const route = `GET /organizations/${created.body.id}/workspaces`;
  t.is((await api.call(route, { key })).body.workspaces.length, 1);
  const entry = await api.db('audit_entries').where({ action: 'organization.created' }).first();
  t.like(entry, { target_id: created.body.id });

  await api.refused('VALIDATION_ERROR', 'POST /organizations', { key, body: { name: ' ' } });
  await api.refused('FORBIDDEN', 'POST /organizations', { key: apiKey, body: { name: 'x' } });
  for (let count = 1; count < 10; count++) await api.call('POST /organizations', { key, body: { name: 'Another' } });
  await api.refused('LIMIT_REACHED', 'POST /organizations', { key, body: { name: 'Another' } });
  t.is((await api.db('organizations').whereNotNull('made_by')).length, 10);
});

test('a new address gets its own organization with a team workspace', async (t) => {
  const api = await aSignInApi(t);
  const { body } = await signIn(api, 'ada@example.com');
  t.is(body.organizations.length, 1);
  t.is(body.organizations[0].role, 'admin');
  t.is(body.createdOrganizationId, body.organizations[0].organizationId);
  t.is((await signIn(api, 'ada@example.com')).body.createdOrganizationId, null);
  const route = `GET /organizations/${body.organizations[0].organizationId}/workspaces`;
  const { workspaces } = (await api.call(route, { key: body.accessToken })).body;
  t.deepEqual(workspaces.map(({ kind }: { kind: string }) => kind), ['team']); // prettier-ignore
  const again = await signIn(api, 'ada@example.com');
  t.deepEqual(again.body.organizations, body.organizations);
});

test('a code works once, and a wrong one is refused', async (t) => {
  const { call, refused } = await aSignInApi(t);
  const { body } = await call('POST /auth/sign-in', { body: { email: 'ada@example.com' } });
  const complete = 'POST /auth/sign-in/complete';
  const { registrationId } = body;
  const wrong = await refused('OTP_INVALID', complete, { body: { registrationId, otp: '000000' } });
  t.is(wrong.headers.get('set-cookie'), null);
  t.is((await call(complete, { body: { registrationId, otp: CODE } })).status, 200);
  await refused('OTP_EXPIRED', complete, { body: { registrationId, otp: CODE } });
  await refused('VALIDATION_ERROR', complete, { body: { registrationId, otp: '12345' } });
});

test('only hashes of the tokens are stored', async (t) => {
  const api = await aSignInApi(t);
  const { headers, body } = await signIn(api, 'ada@example.com');
  const token = /=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
  const rows = JSON.stringify([await api.db('sessions'), await api.db('audit_entries')]);
  for (const secret of [token, body.refreshToken, body.accessToken]) {
    t.true(secret.length >= 43);
    t.false(rows.includes(secret));
    t.false(rows.includes(JSON.stringify(Buffer.from(secret).toJSON().data).slice(1, -1)));
  }
});

test('a refresh issues new tokens; a reused refresh token ends the session', async (t) => {
  const api = await aSignInApi(t);
  const { call, refused } = api;
  const first = (await signIn(api, 'ada@example.com')).body;
  const second = (await call('POST /auth/refresh', { body: { refreshToken: first.refreshToken } })).body;
  const third = (await call('POST /auth/refresh', { body: { refreshToken: second.refreshToken } })).body;
  t.is(new Set([first, second, third].map(({ refreshToken }) => refreshToken)).size, 3);
  t.is((await call('GET /auth/session', { key: third.accessToken })).status, 200);
  await refused('AUTH_REQUIRED', 'POST /auth/refresh', { body: { refreshToken: first.refreshToken } });
  await refused('AUTH_REQUIRED', 'GET /auth/session', { key: third.accessToken });
  await refused('AUTH_REQUIRED', 'POST /auth/refresh', { body: { refreshToken: third.refreshToken } });
  t.deepEqual(await auditOf(api), ['organization.created', 'session.started', 'session.ended']);
});

test("the organization's audit log shows sign-ins to admins", async (t) => {
  const api = await aSignInApi(t);
  const { body } = await signIn(api, 'ada@example.com');
  const [{ organizationId }] = body.organizations;
  const route = `GET /organizations/${organizationId}/audit-entries?action=session.started`;
  const { entries } = (await api.call(route, { key: body.accessToken })).body;
  t.deepEqual(
    entries.map(({ actor }: { actor: { id: string } }) => actor.id),
    [body.user.id],
  );
});

test('a refresh token that was never issued ends no session', async (t) => {
  const api = await aSignInApi(t);
  const { body } = await signIn(api, 'ada@example.com');
  const [sid = ''] = body.refreshToken.split('.');
  for (const refreshToken of [`${sid}.${'x'.repeat(43)}.${'y'.repeat(43)}`, sid, 'x']) {
    await api.refused('AUTH_REQUIRED', 'POST /auth/refresh', { body: { refreshToken } });
  }
  t.is((await api.call('GET /auth/session', { key: body.accessToken })).status, 200);
});

test('concurrent refreshes with one token end the session', async (t) => {
  const api = await aSignInApi(t);
  const { refreshToken } = (await signIn(api, 'ada@example.com')).body;
  const answers = await Promise.all([1, 2].map(() => api.call('POST /auth/refresh', { body: { refreshToken } })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  t.truthy((await api.db('sessions').first('revoked_at')).revoked_at);
});

test('signing out ends one session; signing out everywhere ends all', async (t) => {
  const api = await testApi(t);
  const { call, refused, db } = api;
  const [{ user }, other] = [await aTenant(db), await aTenant(db)];
  const one = await aSession(db, user);
  const two = await aSession(db, user);
  const three = await aSession(db, user);
  const theirs = await aSession(db, other.user);
  const out = await call('POST /auth/sign-out', { headers: one.headers });
  t.is(out.status, 204);
  t.regex(out.headers.get('set-cookie') ?? '', /^__Host-service_session=; Path=\/; Max-Age=0;/);
  for (const by of [{ headers: one.headers }, { key: one.accessToken }])
    await refused('AUTH_REQUIRED', 'GET /auth/session', by);
  t.is((await call('GET /auth/session', { headers: two.headers })).status, 200);
  t.is((await call('POST /auth/sign-out-everywhere', { key: two.accessToken })).status, 204);
  for (const by of [{ headers: three.headers }, { key: three.accessToken }, { key: two.accessToken }]) {
    await refused('AUTH_REQUIRED', 'GET /auth/session', by);
  }
  t.is((await call('GET /auth/session', { headers: theirs.headers })).status, 200);
  t.deepEqual(await auditOf(api), ['session.ended', 'session.ended']);
});

test('a cookie changes data only from a page of the service', async (t) => {
  const { call, refused, db, user, organization } = await tenantStage(t);
  const { cookie, accessToken } = await aSession(db, user);
  const route = `POST /organizations/${organization.publicId}/keys`;
  const body = { name: 'CI' };
  const foreign = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://api.example.com' },
    { origin: 'https://evil.example.com' },
    { origin: 'https://api.example.com.evil.com' },
    { origin: 'null' },
  ];
  for (const headers of foreign) await refused('FORBIDDEN', route, { headers: { cookie, ...headers }, body });
  const own = [
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://api.example.com' },
  ];
  for (const headers of own) t.is((await call(route, { headers: { cookie, ...headers }, body })).status, 201);
  t.is((await call('GET /auth/session', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status, 200);
  t.is((await call(route, { key: accessToken, headers: { 'sec-fetch-site': 'cross-site' }, body })).status, 201);
});

test('an Authorization header takes precedence over a cookie, even if invalid', async (t) => {
  const { call, refused, db, user, apiKey, organization } = await tenantStage(t);
  const { headers } = await aSession(db, user);
  t.is((await call('GET /auth/session', { headers, key: apiKey })).body.credential.kind, 'api_key');
  await refused('AUTH_REQUIRED', 'GET /auth/session', { headers, key: 'hmok_unknown' });
  await refused('AUTH_REQUIRED', 'GET /auth/session', { headers: { ...headers, authorization: 'Basic eA==' } });
  t.is((await call(`GET /organizations/${organization.publicId}`, { headers })).status, 200);
});

test("the session route shows a key's user, role and scopes", async (t) => {
  const { call, db, organization, apiKey } = await tenantStage(t);
  const user = await aMember(db, organization, 'member');
  const key = await aKey(db, { organization, user, scopes: ['channel.read'] });
  const agent = (await call('GET /auth/session', { key })).body;
  t.like(agent, { user: { id: user.publicId }, credential: { kind: 'agent', scopes: ['channel.read'] } });
  t.is(agent.organizations[0].role, 'member');
  await db('organization_members').delete();
  const full = (await call('GET /auth/session', { key: apiKey })).body;
  t.deepEqual(full.organizations, [{ organizationId: organization.publicId, name: 'Acme', role: 'admin' }]);
  t.is(full.credential.kind, 'api_key');
});

test('a forged access token is refused', async (t) => {
  const { call, refused, db } = await testApi(t);
  const [{ user }, other] = [await aTenant(db), await aTenant(db)];
  const { accessToken } = await aSession(db, user);
  const { tokenSalt } = await readInstallation(db);
  const claims = decodeJwt(accessToken);
  t.is((claims.exp ?? 0) - (claims.iat ?? 0), 900);
  const [head = '', payload = ''] = accessToken.split('.');
  const signed = (header: object, key: Uint8Array, change: object = {}) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header }).sign(key);
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: other.user.publicId })).toString('base64url');
  const forged = [
    `${none}.${payload}.`,
    `${head}.${changed}.${accessToken.split('.')[2]}`,
    `${head}.${payload}.${createHmac('sha256', tokenSalt).update(`${head}.${payload}`).digest('base64url')}`,
    await signed({}, tokenSalt),
    await signed({ typ: 'JWT' }, tokenSalt),
  ];
  for (const key of forged) await refused('AUTH_REQUIRED', 'GET /auth/session', { key });
  t.is((await call('GET /auth/session', { key: accessToken })).status, 200);
});

test('an address with a very long name can sign in', async (t) => {
  const api = await aSignInApi(t);
  const { status, body } = await signIn(api, `${'a'.repeat(230)}@example.com`);
  t.is(status, 200);
  t.is(body.organizations[0].name, 'a'.repeat(200));
});
