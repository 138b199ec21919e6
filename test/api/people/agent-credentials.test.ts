import test from 'ava';
import { openApiDocument } from '../../../openapi/document/open-api-document.ts';
import { grantableScopes, type Scope, scopes } from '../../../contract/identity/scopes.ts';
import { insertAgentCredential } from '../../../db/people/agent-credentials.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import type { Organization } from '../../../db/organizations/organizations.ts';
import { setOrganizationRole, type User } from '../../../db/people/users.ts';
import type { Knex } from 'knex';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { baseUrl, testApi } from '../../harness/api/api.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aMember, aTenant, testSecretBox } from '../../harness/tenants.ts';

async function anAgent(
  db: Knex,
  { organization, user }: { organization: Organization; user: User },
  granted: readonly Scope[] = scopes,
) {
  const { tokenSalt } = await readInstallation(db);
  const owner = { organizationId: organization.id, userId: user.id };
  const keys = { secretBox: testSecretBox, tokenSalt };
  return await db.transaction((trx) => insertAgentCredential(trx, keys, { ...owner, scopes: [...granted] }));
}

test("agents see their user's credentials; full keys see the organization's", async (t) => {
  const { db, call, tenant } = await tenantStage(t);
  const mine = await anAgent(db, tenant);
  const second = await anAgent(db, tenant);
  const colleague = await aMember(db, tenant.organization, 'admin');
  const theirs = await anAgent(db, { ...tenant, user: colleague });
  await anAgent(db, await aTenant(db));
  const idsFor = async (key: string, query = '') => {
    const { body } = await call(`GET /agent/credentials${query}`, { key });
    return body.credentials.map(({ credentialId }: { credentialId: string }) => credentialId);
  };
  t.deepEqual(await idsFor(mine.token), [second.credentialId, mine.credentialId]);
  t.deepEqual(await idsFor(tenant.apiKey), [theirs.credentialId, second.credentialId, mine.credentialId]);
  t.deepEqual(await idsFor(tenant.apiKey, `?limit=2&cursor=${theirs.credentialId}`), [
    second.credentialId,
    mine.credentialId,
  ]);
  const { body } = await call('GET /agent/credentials?limit=1', { key: mine.token });
  t.is(body.nextCursor, second.credentialId);
  t.like(body.credentials[0], { email: tenant.user.email, organizationPublicId: tenant.organization.publicId });
  t.false(JSON.stringify(body).includes('hmok_'));
});

test('an agent without the scope sees only its own credential', async (t) => {
  const { db, call, refused, tenant } = await tenantStage(t);
  const mine = await anAgent(db, tenant, ['channel.read']);
  const other = await anAgent(db, tenant);
  const { body } = await call('GET /agent/credentials', { key: mine.token });
  t.deepEqual(body.credentials.map(({ credentialId }: { credentialId: string }) => credentialId), [mine.credentialId]); // prettier-ignore
  await refused('VALIDATION_ERROR', `GET /agent/credentials?cursor=${other.credentialId}`, { key: mine.token });
});

test('a cursor of another tenant is refused', async (t) => {
  const { db, refused, key } = await tenantStage(t);
  const foreign = await anAgent(db, await aTenant(db));
  await refused('VALIDATION_ERROR', `GET /agent/credentials?cursor=${foreign.credentialId}`, { key });
});

test('an agent permanently revokes itself but no other agent', async (t) => {
  const { db, call, refused, tenant } = await tenantStage(t);
  const mine = await anAgent(db, tenant);
  const other = await anAgent(db, tenant);
  for (const id of [other.credentialId, 'ac_00000000']) {
    await refused('AGENT_KEY_REVOKE_SELF_ONLY', `DELETE /agent/credentials/${id}`, { key: mine.token });
  }
  const own = `DELETE /agent/credentials/${mine.credentialId}`;
  t.is((await call(own, { key: mine.token })).status, 204);
  await refused('AUTH_REQUIRED', own, { key: mine.token });
  await refused('CREDENTIAL_NOT_FOUND', own, { key: tenant.apiKey });
  t.is((await call('GET /agent/credentials', { key: other.token })).body.credentials.length, 1);
  t.like(await db('audit_entries').orderBy('id', 'desc').first(), {
    action: 'agentCredential.revoked',
    target_id: mine.credentialId,
    actor_type: 'agent',
    actor_id: mine.credentialId,
  });
});

test('a full key revokes only agents of its organization', async (t) => {
  const { db, call, refused } = await testApi(t);
  const tenant = await aTenant(db);
  const stranger = await aTenant(db);
  const mine = await anAgent(db, tenant);
  const foreign = await anAgent(db, stranger);
  const revoke = (id: string) => `DELETE /agent/credentials/${id}`;
  for (const id of [foreign.credentialId, 'ac_00000000', 'ac_1']) {
    await refused('CREDENTIAL_NOT_FOUND', revoke(id), { key: tenant.apiKey });
  }
  t.is((await call(revoke(mine.credentialId), { key: tenant.apiKey })).status, 204);
  await refused('AUTH_REQUIRED', 'GET /agent/credentials', { key: mine.token });
  t.is((await call('GET /agent/credentials', { key: foreign.token })).status, 200);
});

test("a session manages the user's credentials and, for admins, the organization's", async (t) => {
  const { db, call, refused } = await testApi(t);
  const own = await aTenant(db);
  const other = await aTenant(db);
  const role = { userId: own.user.id, role: 'member' } as const;
  await setOrganizationRole(db, { organizationId: other.organization.id, ...role });
  const ofColleague = await anAgent(db, { ...own, user: await aMember(db, own.organization, 'member') });
  const elsewhere = await anAgent(db, { organization: other.organization, user: own.user });
  const foreign = await anAgent(db, other);
  const { headers } = await aSession(db, own.user);

  const { body } = await call('GET /agent/credentials', { headers });
  t.deepEqual(fieldsOf(body.credentials, 'credentialId'), [elsewhere.credentialId, ofColleague.credentialId]);
  const eligible = await call('GET /agent/credentials/eligible-scopes', { headers });
  t.deepEqual(fieldsOf(eligible.body.organizations, 'role'), ['member', 'admin']);
  const first = await call('GET /agent/credentials/eligible-scopes?limit=1', { headers });
  const second = await call(`GET /agent/credentials/eligible-scopes?limit=1&cursor=${first.body.nextCursor}`, {
    headers,
  });
  t.deepEqual([...first.body.organizations, ...second.body.organizations], eligible.body.organizations);
  t.is(second.body.nextCursor, null);
  await refused('VALIDATION_ERROR', 'GET /agent/credentials/eligible-scopes?cursor=org_00000000', { headers });
  await refused('CREDENTIAL_NOT_FOUND', `DELETE /agent/credentials/${foreign.credentialId}`, { headers });
  for (const { credentialId, token } of [ofColleague, elsewhere]) {
    t.is((await call(`DELETE /agent/credentials/${credentialId}`, { headers })).status, 204);
    await refused('AUTH_REQUIRED', 'GET /agent/credentials', { key: token });
  }
});

test('the scopes a user can grant follow from their role', async (t) => {
  const { db, call, refused, organization } = await tenantStage(t);
  for (const role of ['admin', 'member'] as const) {
    const { token: key } = await anAgent(db, { organization, user: await aMember(db, organization, role) });
    const { body } = await call('GET /agent/credentials/eligible-scopes', { key });
    const expected = {
      organizationPublicId: organization.publicId,
      role,
      scopes: [...grantableScopes({ role, isDeveloper: false })],
    };
    t.deepEqual(body, { organizations: [expected], nextCursor: null });
  }
  await refused('AUTH_REQUIRED', 'GET /agent/credentials/eligible-scopes');
});

test("an agent's credential ends with its user's membership", async (t) => {
  const { db, refused, tenant } = await tenantStage(t);
  const { token: key } = await anAgent(db, tenant);
  await db('organization_members').where({ user_id: tenant.user.id }).delete();
  await refused('AUTH_REQUIRED', 'GET /agent/credentials', { key });
});

test('an agent without a credential finds the guide through the refusal', async (t) => {
  const { url, call, refused } = await testApi(t);
  const { headers } = await refused('AUTH_REQUIRED', 'GET /platform/channels');
  const metadataUrl = /resource_metadata="https:\/\/api\.example\.com([^"]+)"/.exec(
    headers.get('www-authenticate') ?? '',
  );
  const { body } = await call(`GET ${metadataUrl![1]}`);
  t.deepEqual(body, {
    resource: 'https://api.example.com',
    resource_name: 'Messaging channels',
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
    resource_documentation: 'https://api.example.com/auth.md',
  });
  t.is((await call('GET /.well-known/oauth-protected-resource/mcp')).body.resource, 'https://api.example.com/mcp');

  const { paths, info } = openApiDocument({ baseUrl, deployment: 'production' });
  t.truthy(paths?.['/auth.md']?.get);
  for (const part of ['/mcp', '/guides/mcp', 'gateway', '/guides/gateway', '/env']) {
    t.true(info.description?.includes(part), part);
  }
  t.is((await call('GET /auth.md')).status, 200, 'as documented');

  const guide = await fetch(`${url}/auth.md`);
  t.is(guide.headers.get('content-type'), 'text/markdown; charset=utf-8');
  const text = await guide.text();
  for (const scope of scopes) t.true(text.includes(`\`${scope}\``));
  for (const part of ['/agent/auth/claim', '/agent/auth/claim/complete', 'registrationId', 'otp', '10 minutes']) {
    t.true(text.includes(part), part);
  }
});
