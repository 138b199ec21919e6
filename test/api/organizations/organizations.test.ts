import test from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { testApi } from '../../harness/api/api.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aKey, aMember, aTenant } from '../../harness/tenants.ts';

test('an organization is visible only to its own keys', async (t) => {
  const { db, call, refused } = await testApi(t);
  const mine = await aTenant(db);
  const other = await aTenant(db);
  const { body } = await call(`GET /organizations/${mine.organization.publicId}`, { key: mine.apiKey });
  t.like(body, { id: mine.organization.publicId, name: 'Acme' });
  await refused('ORGANIZATION_NOT_FOUND', `GET /organizations/${mine.organization.publicId}`, { key: other.apiKey });
  await refused('ORGANIZATION_NOT_FOUND', 'GET /organizations/org_nope', { key: mine.apiKey });
  await refused('AUTH_REQUIRED', `GET /organizations/${mine.organization.publicId}`);
});

test("an organization's customers are paged newest first", async (t) => {
  const { db, call, refused } = await testApi(t);
  const { organization, apiKey: key } = await aTenant(db);
  const names = ['One', 'Two', 'Three'];
  for (const name of names) {
    await insertWorkspace(db, { organizationId: organization.id, name, kind: 'customer', externalId: `x-${name}` });
  }
  const route = `GET /organizations/${organization.publicId}/workspaces`;
  t.is((await call(route, { key })).body.workspaces.length, 4);
  const first = (await call(`${route}?kind=customer&limit=2`, { key })).body;
  t.deepEqual(
    first.workspaces.map((workspace: { name: string }) => workspace.name),
    ['Three', 'Two'],
  );
  const second = (await call(`${route}?kind=customer&limit=2&cursor=${first.nextCursor}`, { key })).body;
  t.like(second, {
    workspaces: [{ name: 'One', externalId: 'x-One', organizationId: organization.publicId }],
    nextCursor: null,
  });
  await refused('VALIDATION_ERROR', `${route}?kind=nobody`, { key });
  await refused('VALIDATION_ERROR', `${route}?limit=0`, { key });
  await refused('VALIDATION_ERROR', `${route}?cursor=ws_00000000`, { key });
  await refused('VALIDATION_ERROR', `${route}?colour=blue`, { key });
});

test("another organization's workspaces are not listed", async (t) => {
  const { db, refused } = await testApi(t);
  const [mine, other] = [await aTenant(db), await aTenant(db)];
  const route = `GET /organizations/${mine.organization.publicId}/workspaces`;
  await refused('ORGANIZATION_NOT_FOUND', route, { key: other.apiKey });
  await refused('ORGANIZATION_NOT_FOUND', 'GET /organizations/x/workspaces', { key: other.apiKey });
  await refused('AUTH_REQUIRED', route);
});

test("a limited credential sees only its user's workspaces", async (t) => {
  const { db, call, refused } = await testApi(t);
  const { organization } = await aTenant(db);
  const member = await aMember(db, organization, 'member');
  const route = `GET /organizations/${organization.publicId}/workspaces`;
  const key = await aKey(db, { organization, user: member, scopes: ['workspace.read'] });
  t.deepEqual((await call(route, { key })).body.workspaces, []);
  const unscoped = await aKey(db, { organization, user: member, scopes: ['channel.read'] });
  const { body } = await refused('AGENT_SCOPE_INSUFFICIENT', route, { key: unscoped });
  t.regex(body.message, /workspace\.read/);
});

test('an admin renames the organization, which is audited once', async (t) => {
  const { db, call, refused } = await testApi(t);
  const [mine, other] = [await aTenant(db), await aTenant(db)];
  const { organization, apiKey: key } = mine;
  const route = `PATCH /organizations/${organization.publicId}`;
  for (const name of [' Sunrise Bakery ', 'Sunrise Bakery']) {
    const { status, body } = await call(route, { key, body: { name } });
    t.is(status, 200);
    t.like(body, { id: organization.publicId, name: 'Sunrise Bakery' });
  }
  const { body } = await call(`GET /organizations/${organization.publicId}/audit-entries`, { key });
  const entries = body.entries.filter(({ action }: { action: string }) => action === 'organization.renamed');
  t.is(entries.length, 1);
  t.like(entries[0], { targetId: organization.publicId, workspaceId: null });

  for (const name of ['', '  ', 'x'.repeat(201), 'two\nlines']) {
    await refused('VALIDATION_ERROR', route, { key, body: { name } });
  }
  await refused('VALIDATION_ERROR', route, { key, body: {} });
  await refused('ORGANIZATION_NOT_FOUND', route, { key: other.apiKey, body: { name: 'Mine now' } });
  t.is((await call(`GET /organizations/${other.organization.publicId}`, { key: other.apiKey })).body.name, 'Acme');
});

test('members and agents cannot rename the organization', async (t) => {
  const { db, refused } = await testApi(t);
  const { organization, user } = await aTenant(db);
  const route = `PATCH /organizations/${organization.publicId}`;
  const member = await aMember(db, organization, 'member');
  const { headers } = await aSession(db, member);
  await refused('FORBIDDEN', route, { headers, body: { name: 'Mine now' } });
  const key = await aKey(db, { organization, user, scopes: ['workspace.manage'] });
  await refused('FORBIDDEN', route, { key, body: { name: 'Mine now' } });
});

test('workspaces are found by a part of their name', async (t) => {
  const { db, call } = await testApi(t);
  const { organization, apiKey: key } = await aTenant(db);
  const customer = { organizationId: organization.id, kind: 'customer' } as const;
  await insertWorkspace(db, { ...customer, name: 'Sunrise Bakery', externalId: 'crm-1' });
  await insertWorkspace(db, { ...customer, name: '100% Books' });
  const other = await aTenant(db);
  await insertWorkspace(db, { ...customer, organizationId: other.organization.id, name: 'Other Bakery' });
  const found = async (search: string): Promise<string[]> => {
    const path = `GET /organizations/${organization.publicId}/workspaces?search=${encodeURIComponent(search)}`;
    return (await call(path, { key })).body.workspaces.map(({ name }: { name: string }) => name);
  };
  t.deepEqual(await found('BAKE'), ['Sunrise Bakery']);
  t.deepEqual(await found('crm-'), ['Sunrise Bakery']);
  t.deepEqual(await found('%'), ['100% Books']);
});
