import test from 'ava';
import { insertWorkspace } from '../../db/workspaces.ts';
import { testApi } from '../harness/api.ts';
import { aKey, aMember, aTenant } from '../harness/tenants.ts';

test('an organization shows itself to its own keys only', async (t) => {
  const { db, call, refused } = await testApi(t);
  const mine = await aTenant(db);
  const other = await aTenant(db);
  const { body } = await call(`GET /organizations/${mine.organization.publicId}`, { key: mine.apiKey });
  t.like(body, { id: mine.organization.publicId, name: 'Acme' });
  await refused('ORGANIZATION_NOT_FOUND', `GET /organizations/${mine.organization.publicId}`, { key: other.apiKey });
  await refused('ORGANIZATION_NOT_FOUND', 'GET /organizations/org_nope', { key: mine.apiKey });
  await refused('AUTH_REQUIRED', `GET /organizations/${mine.organization.publicId}`);
});

test("an organization's customers are listed newest first, page by page", async (t) => {
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

test('a limited credential of a member sees only the workspaces of that member', async (t) => {
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
