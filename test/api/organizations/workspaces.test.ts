import test from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { deleteWorkspace } from '../../../db/organizations/delete-workspace.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { testApi } from '../../harness/api/api.ts';
import { testAudit } from '../../harness/audit.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel, aMember, aTenant } from '../../harness/tenants.ts';

test('a customer is created, found and renamed; its external id is unique', async (t) => {
  const { db, call, refused, organization, key } = await tenantStage(t);
  const route = `/organizations/${organization.publicId}/workspaces`;
  const customer = { name: ' Shop ', kind: 'customer', externalId: 'crm 7/a' };

  const { status, body } = await call(`POST ${route}`, { key, body: customer });

  t.is(status, 201);
  t.like(body, { name: 'Shop', kind: 'customer', externalId: 'crm 7/a', organizationId: organization.publicId });
  await refused('EXTERNAL_ID_TAKEN', `POST ${route}`, { key, body: customer });
  const found = await call(`GET ${route}?externalId=${encodeURIComponent('crm 7/a')}`, { key });
  t.deepEqual(found.body.workspaces, [body]);
  t.deepEqual((await call(`GET ${route}?externalId=other`, { key })).body.workspaces, []);
  const second = await call(`POST ${route}`, { key, body: { ...customer, externalId: 'other' } });
  const at = `PATCH /workspaces/${second.body.id}`;
  await refused('EXTERNAL_ID_TAKEN', at, { key, body: { externalId: 'crm 7/a' } });
  t.like((await call(at, { key, body: { name: 'Store' } })).body, {
    name: 'Store',
    externalId: 'other',
    role: 'admin',
  });
  t.like((await call(at, { key, body: { externalId: null } })).body, { name: 'Store', externalId: null });
  t.deepEqual(await recordedActs(db), [
    'workspace.created',
    'workspace.created',
    'workspace.renamed',
    'workspace.relabelled',
  ]);
});

test('other organizations and deleted customers do not reserve external ids', async (t) => {
  const { db, call } = await testApi(t);
  const body = { name: 'Shop', kind: 'customer', externalId: 'x' };
  const one = await aTenant(db);
  const other = await aTenant(db);
  for (const { organization, apiKey: key } of [one, other]) {
    t.is((await call(`POST /organizations/${organization.publicId}/workspaces`, { key, body })).status, 201);
  }
  const route = `/organizations/${one.organization.publicId}/workspaces`;
  const [first] = (await call(`GET ${route}?externalId=x`, { key: one.apiKey })).body.workspaces;
  t.is((await call(`DELETE /workspaces/${first.id}`, { key: one.apiKey })).status, 204);
  t.is((await call(`POST ${route}`, { key: one.apiKey, body })).status, 201);
});

test('an invalid workspace is refused with every wrong field named', async (t) => {
  const { refused, organization, workspace, key } = await tenantStage(t);
  const create = `POST /organizations/${organization.publicId}/workspaces`;
  const bad = async (route: string, body: unknown) => await refused('VALIDATION_ERROR', route, { key, body });
  await bad(create, { name: 'Team', kind: 'team', externalId: 'x' });
  await bad(create, { name: '   ', kind: 'team' });
  await bad(create, { name: 'x'.repeat(201), kind: 'team' });
  const { body } = await bad(create, { kind: 'other', colour: 'blue' });
  for (const field of ['body.name', 'body.kind', 'body.colour']) t.true(body.message.includes(field), body.message);
  await bad(`PATCH /workspaces/${workspace.publicId}`, { externalId: 'x' });
  await bad(`PATCH /workspaces/${workspace.publicId}`, { kind: 'customer' });
});

test("a workspace shows its counts and the caller's role", async (t) => {
  const { db, call, refused, organization, workspace, key, at } = await tenantStage(t);
  await aChannel(db, workspace);
  const gone = await aChannel(db, workspace);
  await call(`POST /platform/channels/${gone.publicId}/disconnect`, at);
  const member = await aMember(db, organization, 'member');
  const route = `GET /workspaces/${workspace.publicId}`;
  const session = await aSession(db, member);
  await refused('WORKSPACE_NOT_FOUND', route, { headers: session.headers });
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: member.id, role: 'member' });
  t.like((await call(route, { key })).body, { memberCount: 1, channelCount: 1, role: 'admin' });
  t.is((await call(route, { headers: session.headers })).body.role, 'member');
});

test('workspace admins rename a workspace but cannot relabel it', async (t) => {
  const { db, call, refused, organization } = await tenantStage(t);
  const customer = await insertWorkspace(db, { organizationId: organization.id, name: 'Shop', kind: 'customer' });
  const user = await aMember(db, organization, 'member');
  await db('workspace_members').insert({ workspace_id: customer.id, user_id: user.id, role: 'admin' });
  const { headers } = await aSession(db, user);
  const at = `PATCH /workspaces/${customer.publicId}`;
  t.is((await call(at, { headers, body: { name: 'Store' } })).body.name, 'Store');
  await refused('FORBIDDEN', at, { headers, body: { externalId: 'x' } });
});

test('deleting a workspace disconnects its channels and cancels their deliveries', async (t) => {
  const cancelled: string[] = [];
  const temporal = { cancelDeliveries: (ids: readonly string[]) => void cancelled.push(...ids) };
  const { db, call, refused, endVoid, organization, workspace, key, at } = await tenantStage(t, { starts: temporal });
  const second = await insertWorkspace(db, { organizationId: organization.id, name: 'Second', kind: 'team' });
  const channel = await aChannel(db, workspace);
  const kept = await aChannel(db, second);
  const destinationId = await aWebhook(db, channel);
  const pending = await aLedgerDelivery(db, channel, { destinationId });
  const retrying = await aLedgerDelivery(db, channel, { destinationId, status: 'retrying', attemptCount: 1 });

  t.is((await call(`DELETE /workspaces/${workspace.publicId}`, { key })).status, 204);

  await refused('WORKSPACE_NOT_FOUND', `DELETE /workspaces/${workspace.publicId}`, { key });
  await refused('WORKSPACE_NOT_FOUND', 'GET /platform/channels', at);
  await refused('CHANNEL_NOT_FOUND', `POST /channels/${channel.publicId}/move`, {
    key,
    body: { workspaceId: second.publicId },
  });
  await endVoid();
  const states = await db('deliveries').whereIn('id', [pending.id, retrying.id]).pluck('status');
  t.deepEqual(states, ['cancelled', 'cancelled']);
  t.deepEqual(cancelled, [retrying.publicId]);
  t.like(await db('channels').where({ id: kept.id }).first(), { disconnected_at: null });
  t.not((await db('channels').where({ id: channel.id }).first()).disconnected_at, null);
  t.deepEqual((await recordedActs(db)).slice(-2), ['channel.disconnected', 'workspace.deleted']);
});

test('the last workspace of an organization cannot be deleted', async (t) => {
  const { refused, workspace, key } = await tenantStage(t);
  await refused('LAST_WORKSPACE', `DELETE /workspaces/${workspace.publicId}`, { key });
});

test('two concurrent deletions leave one workspace', async (t) => {
  const { db, databaseUrl } = await testApi(t);
  const other = connectPatiently({ url: databaseUrl, applicationName: 'test-other' });
  t.teardown(() => other.destroy());
  for (let round = 0; round < 10; round++) {
    const { organization, workspace } = await aTenant(db);
    const second = await insertWorkspace(db, { organizationId: organization.id, name: 'Second', kind: 'team' });
    const remove = (connection: typeof db, { id, publicId }: typeof second) =>
      deleteWorkspace(connection, { id, publicId, organizationId: organization.id, audit: testAudit });
    const ends = await Promise.all([remove(db, workspace), remove(other, second)]);
    t.deepEqual(ends.map(({ outcome }) => outcome).sort(), ['deleted', 'last']);
  }
});
