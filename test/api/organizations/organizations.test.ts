import test from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { aKey, aMember, aTenant } from '../../harness/tenants.ts';

test('an organization shows its name', async (t) => {
  const { call, key, organization, org } = await tenantStage(t);
  t.like((await call(`GET ${org}`, { key })).body, { id: organization.publicId, name: 'Acme' });
});

test("an organization's customers are paged newest first", async (t) => {
  const { db, call, refused, organization, key } = await tenantStage(t);
  const names = ['One', 'Two', 'Three'];
  for (const name of names) {
    await insertWorkspace(db, { organizationId: organization.id, name, kind: 'customer', externalId: `x-${name}` });
  }
  const route = `GET /organizations/${organization.publicId}/workspaces`;
  t.is((await call(route, { key })).body.workspaces.length, 4);
  const first = (await call(`${route}?kind=customer&limit=2`, { key })).body;
  t.deepEqual(fieldsOf(first.workspaces, 'name'), ['Three', 'Two']);
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

test("a limited credential sees only its user's workspaces", async (t) => {
  const { db, call, refused, organization } = await tenantStage(t);
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
  const mine = await aTenant(db);
  const other = await aTenant(db);
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

test('workspaces are found by a part of their name', async (t) => {
  const { db, call, organization, key } = await tenantStage(t);
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
