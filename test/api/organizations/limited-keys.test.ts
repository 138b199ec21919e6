import test from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { removeFromOrganization } from '../../../db/people/members.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { type testApi } from '../../harness/api/api.ts';
import { opened } from '../../harness/channels/channel-tokens.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel, aMember, aTenant } from '../../harness/tenants.ts';

async function aStage(...[t, others]: Parameters<typeof testApi>) {
  const api = await tenantStage(t, others);
  const { organization, user } = api;
  const { accessToken: key } = await aSession(api.db, user);
  const other = await insertWorkspace(api.db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const route = `/organizations/${organization.publicId}/keys`;
  const make = async (body: object) => (await api.call(`POST ${route}`, { key, body: { name: 'CI', ...body } })).body;
  return { ...api, key, other, route, make };
}

test('a limited key shows its limits everywhere', async (t) => {
  const { call, make, workspace, key, route } = await aStage(t);
  const limits = { scopes: ['channel.read'], workspaceIds: [workspace.publicId], allowedCidrs: ['127.0.0.0/8', '::1'] };
  const made = await make(limits);
  t.like(made, limits);
  t.like((await call(`GET ${route}`, { key })).body.keys[0], { keyId: made.keyId, ...limits });
  const { credential } = (await call('GET /auth/session', { key: made.apiKey })).body;
  t.deepEqual(credential, {
    kind: 'agent',
    id: made.keyId,
    scopes: ['channel.read'],
    workspaceIds: [workspace.publicId],
  });
  t.is((await call(`POST ${route}/${made.keyId}/reveal`, { key })).body.apiKey, made.apiKey);
});

test('the audit log says what a key can do at most', async (t) => {
  const { db, make, call, route, key, workspace } = await aStage(t);
  const expiresAt = '2999-01-01T00:00:00.000Z';
  const allowedCidrs = ['127.0.0.0/8', '::1'];
  const { keyId } = await make({
    scopes: ['channel.read', 'message.send'],
    workspaceIds: [workspace.publicId],
    allowedCidrs,
    expiresAt,
  });
  await make({});
  await call(`PATCH ${route}/${keyId}`, { key, body: { name: 'New' } });
  await call(`PATCH ${route}/${keyId}`, { key, body: { allowedCidrs: null } });
  const entries = await db('audit_entries').where('action', 'like', 'apiKey.%').orderBy('id');
  t.deepEqual(fieldsOf(entries, 'reason'), [
    `scopes channel.read message.send; workspaces ${workspace.publicId}; addresses 127.0.0.0/8 ::1; until ${expiresAt}`,
    null,
    'changed name',
    'changed allowedCidrs: any address',
  ]);
});

test('a key refuses empty, unknown and foreign limits', async (t) => {
  const { refused, db, key, route, organization } = await aStage(t);
  const foreign = await aTenant(db);
  const wrong = [
    { scopes: [] },
    { scopes: ['everything'] },
    { workspaceIds: [] },
    { workspaceIds: ['ws_1'] },
    { workspaceIds: Array(51).fill(foreign.workspace.publicId) },
    { allowedCidrs: [] },
    { allowedCidrs: ['10.0.0.0/33'] },
    { allowedCidrs: ['010.0.0.1'] },
    { allowedCidrs: ['10.0.0.0/8 ::/0'] },
    { allowedCidrs: Array(51).fill('10.0.0.0/8') },
    { limits: [] },
  ];
  for (const limits of wrong) {
    await refused('VALIDATION_ERROR', `POST ${route}`, { key, body: { name: 'CI', ...limits } });
  }
  for (const id of [foreign.workspace.publicId, 'ws_00000000']) {
    await refused('WORKSPACE_NOT_FOUND', `POST ${route}`, { key, body: { name: 'CI', workspaceIds: [id] } });
  }
  t.is((await db('api_keys').where({ organization_id: organization.id })).length, 1);
});

test('a key of one workspace lists only that workspace', async (t) => {
  const { call, refused, make, organization, workspace, other } = await aStage(t);
  const { apiKey: key } = await make({ workspaceIds: [workspace.publicId] });
  const path = `/organizations/${organization.publicId}/workspaces`;
  const { workspaces } = (await call(`GET ${path}`, { key })).body;
  t.deepEqual(workspaces.map(({ id }: { id: string }) => id), [workspace.publicId]); // prettier-ignore
  t.is((await call(`GET /workspaces/${workspace.publicId}`, { key })).body.role, 'admin');
  await refused('FORBIDDEN', `POST ${path}`, { key, body: { name: 'New', kind: 'team' } });
  await refused('FORBIDDEN', `DELETE /workspaces/${workspace.publicId}`, { key });
  await refused('FORBIDDEN', `GET /organizations/${organization.publicId}/onboarding-links`, { key });
  await refused('WORKSPACE_NOT_FOUND', `GET /workspaces/${other.publicId}`, { key });
});

test('a limited key replays in its own workspace only', async (t) => {
  const { call, refused, db, make, organization, workspace, other } = await aStage(t);
  const { apiKey: key } = await make({ workspaceIds: [workspace.publicId] });
  const channel = await aChannel(db, other);
  const list = (scope: string) => `GET /replays?scope=${scope}`;
  t.is((await call(list(`workspace:${workspace.publicId}`), { key })).status, 200);
  await refused('FORBIDDEN', list(`organization:${organization.publicId}`), { key });
  await refused('WORKSPACE_NOT_FOUND', list(`workspace:${other.publicId}`), { key });
  await refused('CHANNEL_NOT_FOUND', list(`channel:${channel.publicId}`), { key });
});

test('a key whose workspaces are deleted reaches nothing', async (t) => {
  const { call, refused, db, make, organization, workspace } = await aStage(t);
  const { apiKey: key } = await make({ workspaceIds: [workspace.publicId] });
  await db('workspaces').where({ id: workspace.id }).update({ deleted_at: new Date() });
  await refused('WORKSPACE_NOT_FOUND', `GET /workspaces/${workspace.publicId}`, { key });
  t.deepEqual((await call(`GET /organizations/${organization.publicId}/workspaces`, { key })).body.workspaces, []);
  t.deepEqual((await call('GET /auth/session', { key })).body.credential.workspaceIds, []);
});

test('a scoped key outlives the membership of its creator', async (t) => {
  const { call, db, make, organization, user, workspace } = await aStage(t);
  const { apiKey: key } = await make({ scopes: ['channel.read'] });
  await aMember(db, organization, 'admin');
  await db.transaction((trx) => removeFromOrganization(trx, { organizationId: organization.id, userId: user.id }));
  t.is((await call('GET /platform/channels', { key, workspace: workspace.publicId })).status, 200);
});

test('a refused address of a key is audited once an hour', async (t) => {
  const { call, refused, db, make, organization, key: session } = await aStage(t, { trustProxy: true });
  const { apiKey: key, keyId } = await make({ allowedCidrs: ['192.0.2.0/24'] });
  const addresses = ['192.0.3.1', '192.0.3.1', '192.0.3.2', '2001:db9::1', '2001:db9:0:7::1'];
  const refuse = (address: string) =>
    refused('ADDRESS_NOT_ALLOWED', 'GET /auth/session', { key, headers: { 'x-forwarded-for': address } });
  await Promise.all(addresses.map(refuse));
  const route = `GET /organizations/${organization.publicId}/audit-entries?action=apiKey.addressRefused`;
  const read = async () => (await call(route, { key: session })).body.entries;
  const reasons = ['from 192.0.3.1', 'from 192.0.3.2', 'from 2001:db9::/48'];
  t.deepEqual((await read()).map(({ reason }: { reason: string }) => reason).toSorted(), reasons);
  t.like((await read())[0], { actor: { type: 'api_key', id: keyId } });
  const before = new Date(Date.now() - 3_600_000);
  await db('audit_entries').where({ action: 'apiKey.addressRefused' }).update({ created_at: before });
  await refuse('192.0.3.1');
  t.is((await read()).length, 4);
});

test('a key refuses callers from other addresses, also at MCP', async (t) => {
  const { call, refused, url, make, key: session, route } = await aStage(t, { trustProxy: true });
  const { apiKey: key, keyId } = await make({ allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'] });
  const from = (address: string) => ({ key, headers: { 'x-forwarded-for': address } });
  for (const address of ['192.0.2.7', '2001:db8::1', '::ffff:192.0.2.7']) {
    t.is((await call('GET /auth/session', from(address))).status, 200, address);
  }
  for (const address of ['192.0.3.1', '2001:db9::1', '127.0.0.1']) {
    await refused('ADDRESS_NOT_ALLOWED', 'GET /auth/session', from(address));
  }
  // The proxy appends the address that it saw, so an earlier one is the caller's own claim.
  await refused('ADDRESS_NOT_ALLOWED', 'GET /auth/session', from('192.0.2.7, 198.51.100.1'));
  const mcp = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
    body: '{}',
  });
  t.like([mcp.status, await mcp.json()], [403, { code: 'ADDRESS_NOT_ALLOWED' }]);
  t.is((await call(`PATCH ${route}/${keyId}`, { key: session, body: { allowedCidrs: null } })).status, 200);
  t.is((await call('GET /auth/session', from('198.51.100.1'))).status, 200);
});

test('a key is renamed, ends later, and is only ever narrowed', async (t) => {
  const { call, refused, db, make, key, route, workspace, other } = await aStage(t);
  const { keyId, apiKey } = await make({ workspaceIds: [workspace.publicId, other.publicId] });
  const change = (body: object) => call(`PATCH ${route}/${keyId}`, { key, body });
  const expiresAt = '2999-01-01T00:00:00.000Z';
  t.like((await change({ name: 'New', expiresAt })).body, { name: 'New', expiresAt, scopes: null });
  t.is((await change({ expiresAt: null })).body.expiresAt, null);
  t.deepEqual((await change({ scopes: ['channel.read', 'workspace.read'] })).body.scopes, [
    'channel.read',
    'workspace.read',
  ]);
  t.deepEqual((await change({ workspaceIds: [workspace.publicId] })).body.workspaceIds, [workspace.publicId]);
  const wider = [{ scopes: ['channel.manage'] }, { workspaceIds: [other.publicId] }, { scopes: null }];
  for (const body of [...wider, { workspaceIds: null }, { expiresAt: '2000-01-01T00:00:00Z' }, { token: 'x' }]) {
    await refused('VALIDATION_ERROR', `PATCH ${route}/${keyId}`, { key, body });
  }
  await refused('AGENT_SCOPE_INSUFFICIENT', 'GET /deliveries', { key: apiKey, workspace: workspace.publicId });
  await refused('WORKSPACE_NOT_FOUND', 'GET /platform/channels', { key: apiKey, workspace: other.publicId });
  const changes = await db('audit_entries').where({ action: 'apiKey.changed', target_id: keyId }).orderBy('id');
  t.deepEqual(fieldsOf(changes, 'reason'), [
    `changed name, expiresAt: until ${expiresAt}`,
    'changed expiresAt: no end',
    'changed scopes: scopes channel.read workspace.read',
    `changed workspaceIds: workspaces ${workspace.publicId}`,
  ]);
  await refused('CREDENTIAL_NOT_FOUND', `PATCH ${route}/key_00000000`, { key, body: { name: 'x' } });
  await db('api_keys').update({ expires_at: new Date(Date.now() - 1) });
  await refused('VALIDATION_ERROR', `PATCH ${route}/${keyId}`, { key, body: { expiresAt } });
});

test('narrowing a key narrows the channel tokens it holds', async (t) => {
  const { call, db, make, key, route, workspace, other } = await aStage(t);
  const { keyId, apiKey } = await make({ scopes: ['channel.reveal', 'channel.read', 'message.send'] });
  const tokens: string[] = [];
  for (const place of [workspace, other]) {
    const channel = await aChannel(db, place);
    const read = `GET /platform/channels/${channel.publicId}/token`;
    tokens.push((await call(read, { key: apiKey, workspace: place.publicId })).body.token);
  }
  const body = { scopes: ['channel.reveal', 'channel.read'], workspaceIds: [workspace.publicId] };
  t.is((await call(`PATCH ${route}/${keyId}`, { key, body })).status, 200);
  const [kept, ended] = await Promise.all(tokens.map((token) => opened(db, token)));
  t.deepEqual(kept?.scopes, ['channel.read']);
  t.is(ended, undefined);
});
