import test from 'ava';
import { changeOrganizationRole, removeFromOrganization, setWorkspaceRole } from '../../../db/people/members.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { partsOf } from '../../harness/access/portals.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aKey, aMember } from '../../harness/tenants.ts';

test('a link ends with the key that created it', async (t) => {
  const { db, call, refused, organization, user, workspace, apiKey } = await tenantStage(t);
  const key = await aKey(db, { organization, user });
  const path = `/workspaces/${workspace.publicId}/portal-links`;
  const { body } = await call(`POST ${path}`, { key, body: { rights: ['channels.read'] } });
  const secret = partsOf(body.url);
  const session = (await call('POST /portal/session', { body: secret })).body.accessToken;
  const last = await db('api_keys').orderBy('id', 'desc').first();
  await db('api_keys').where({ id: last.id }).update({ revoked_at: new Date() });
  await refused('AUTH_REQUIRED', 'POST /portal/session', { body: secret });
  await refused('AUTH_REQUIRED', 'GET /platform/channels', { key: session, workspace: workspace.publicId });
  t.is((await call(`GET ${path}`, { key: apiKey })).body.portalLinks[0].status, 'revoked');
});

test("a link ends with its key's membership and workspaces", async (t) => {
  const { db, call, refused, organization, workspace, apiKey } = await tenantStage(t);
  const user = await aMember(db, organization, 'admin');
  const agent = await aKey(db, { organization, user, scopes: ['credentials.manage', 'channel.read'] });
  const limited = await aKey(db, { organization, user, workspaceIds: [workspace.id] });
  const path = `/workspaces/${workspace.publicId}/portal-links`;
  const linkOf = async (key: string) =>
    partsOf((await call(`POST ${path}`, { key, body: { rights: ['channels.read'] } })).body.url);
  const byAgent = await linkOf(agent);
  const byLimited = await linkOf(limited);
  t.is((await call('POST /portal/session', { body: byAgent })).status, 200);
  await db('organization_members').where({ user_id: user.id }).delete();
  await refused('AUTH_REQUIRED', 'POST /portal/session', { body: byAgent });
  t.is((await call('POST /portal/session', { body: byLimited })).status, 200);
  await db('api_keys')
    .whereNotNull('workspace_ids')
    .update({ workspace_ids: [0] });
  await refused('AUTH_REQUIRED', 'POST /portal/session', { body: byLimited });
  const { portalLinks } = (await call(`GET ${path}`, { key: apiKey })).body;
  t.deepEqual(fieldsOf(portalLinks, 'status'), ['revoked', 'revoked']);
});

test('a link ends when its key loses a scope of its rights', async (t) => {
  const { db, call, refused, organization, user, workspace, apiKey } = await tenantStage(t);
  const scopes = ['credentials.manage', 'channel.read', 'webhook.manage'] as const;
  const key = await aKey(db, { organization, user, scopes, ownedByOrganization: true });
  const path = `/workspaces/${workspace.publicId}/portal-links`;
  const linkOf = async (right: string) =>
    partsOf((await call(`POST ${path}`, { key, body: { rights: [right] } })).body.url);
  const reading = await linkOf('subscriptions.read');
  const managing = await linkOf('subscriptions.manage');
  const { accessToken } = (await call('POST /portal/session', { body: managing })).body;
  const { public_id: keyId } = await db('api_keys').orderBy('id', 'desc').first();
  const { accessToken: session } = await aSession(db, user);
  const change = `PATCH /organizations/${organization.publicId}/keys/${keyId}`;
  t.is((await call(change, { key: session, body: { scopes: ['channel.read'] } })).status, 200);
  await refused('AUTH_REQUIRED', 'POST /portal/session', { body: managing });
  await refused('AUTH_REQUIRED', 'GET /platform/channels', { key: accessToken, workspace: workspace.publicId });
  t.is((await call('POST /portal/session', { body: reading })).status, 200);
  const { portalLinks } = (await call(`GET ${path}`, { key: apiKey })).body;
  t.deepEqual(fieldsOf(portalLinks, 'status'), ['revoked', 'active']);
});

test('a link ends when its creator is no admin of the workspace', async (t) => {
  const { db, call, refused, organization, workspace } = await tenantStage(t);
  const user = await aMember(db, organization, 'admin');
  const agent = await aKey(db, { organization, user, scopes: ['credentials.manage', 'channel.read'] });
  const { accessToken } = await aSession(db, user);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const linkOf = async (key: string) =>
    partsOf((await call(create, { key, body: { rights: ['channels.read'] } })).body.url);
  const links = [await linkOf(accessToken), await linkOf(agent)];
  const start = async () => {
    const answers = await Promise.all(links.map((body) => call('POST /portal/session', { body })));
    return answers.map(({ status }) => status);
  };
  const membership = { organizationId: organization.id, userId: user.id };
  t.deepEqual(await start(), [200, 200]);
  await db.transaction((trx) => changeOrganizationRole(trx, { ...membership, role: 'member' }));
  t.deepEqual(await start(), [401, 401]);
  await setWorkspaceRole(db, { workspaceId: workspace.id, userId: user.id, role: 'admin' });
  t.deepEqual(await start(), [200, 200]);
  const session = (await call('POST /portal/session', { body: links[0]! })).body.accessToken;
  await db.transaction((trx) => removeFromOrganization(trx, membership));
  t.deepEqual(await start(), [401, 401]);
  await refused('AUTH_REQUIRED', 'GET /platform/channels', { key: session, workspace: workspace.publicId });
});

test('a link ends with its workspace', async (t) => {
  const { db, call, refused, key, workspace } = await tenantStage(t);
  const create = `POST /workspaces/${workspace.publicId}/portal-links`;
  const { body } = await call(create, { key, body: { rights: ['channels.read'] } });
  await db('workspaces').where({ id: workspace.id }).update({ deleted_at: new Date() });
  await refused('AUTH_REQUIRED', 'POST /portal/session', { body: partsOf(body.url) });
});
