import test from 'ava';
import { removeFromOrganization } from '../../../db/people/members.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { testApi } from '../../harness/api/api.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aKey, aMember, aTenant } from '../../harness/tenants.ts';

test("an organization's members are paged newest first", async (t) => {
  const { db, call, refused, organization, user, key } = await tenantStage(t);
  const people = [await aMember(db, organization, 'member'), await aMember(db, organization, 'admin')];
  const route = `GET /organizations/${organization.publicId}/members`;
  const first = (await call(`${route}?limit=2`, { key })).body;
  t.like(first.members, [{ userId: people[1]!.publicId, role: 'admin' }, { userId: people[0]!.publicId }]);
  const second = (await call(`${route}?limit=2&cursor=${first.nextCursor}`, { key })).body;
  t.like(second, { members: [{ userId: user.publicId, email: user.email, role: 'admin' }], nextCursor: null });
  const stranger = await aTenant(db);
  await refused('VALIDATION_ERROR', `${route}?cursor=${stranger.user.publicId}`, { key });
});

test('only admins change roles, and the last admin remains', async (t) => {
  const { db, call, refused, organization, user, key } = await tenantStage(t);
  const member = await aMember(db, organization, 'member');
  const at = (id: string) => `PATCH /organizations/${organization.publicId}/members/${id}`;
  const { headers } = await aSession(db, member);
  await refused('FORBIDDEN', at(member.publicId), { headers, body: { role: 'admin' } });
  const agent = await aKey(db, { organization, user, scopes: ['workspace.manage'] });
  await refused('FORBIDDEN', at(member.publicId), { key: agent, body: { role: 'admin' } });
  await refused('LAST_ADMIN', at(user.publicId), { key, body: { role: 'member' } });
  t.is((await call(at(user.publicId), { key, body: { role: 'admin' } })).body.role, 'admin');

  t.like((await call(at(member.publicId), { key, body: { role: 'admin' } })).body, { role: 'admin' });

  t.is((await call(at(user.publicId), { headers, body: { role: 'member' } })).body.role, 'member');
  await refused('LAST_ADMIN', `DELETE /organizations/${organization.publicId}/members/${member.publicId}`, { key });
  await refused('VALIDATION_ERROR', at(user.publicId), { key, body: { role: 'owner' } });
  t.deepEqual(await recordedActs(db), ['member.changed', 'member.changed']);
});

test('a removed member loses all access and open invitations', async (t) => {
  const { db, call, refused, organization, workspace, user, key } = await tenantStage(t);
  const other = await aTenant(db);
  const member = await aMember(db, organization, 'member');
  for (const { id } of [workspace, other.workspace]) {
    await db('workspace_members').insert({ workspace_id: id, user_id: member.id, role: 'admin' });
  }
  const agent = await aKey(db, { organization, user: member, scopes: ['workspace.read'] });
  const { headers } = await aSession(db, member);
  const see = `GET /organizations/${organization.publicId}`;
  t.is((await call(see, { headers })).status, 200);
  t.is((await call(see, { key: agent })).status, 200);
  await db('invitations').insert({
    public_id: 'inv_00000001',
    organization_id: organization.id,
    email: member.email,
    organization_role: 'admin',
    invited_by: user.id,
    token_hash: Buffer.alloc(32),
    token_encrypted: 'sealed',
    expires_at: new Date(Date.now() + 60_000),
  });
  const remove = `DELETE /organizations/${organization.publicId}/members/${member.publicId}`;

  t.is((await call(remove, { key })).status, 204);

  await refused('ORGANIZATION_NOT_FOUND', see, { headers });
  await refused('AUTH_REQUIRED', see, { key: agent });
  await refused('MEMBER_NOT_FOUND', remove, { key });
  t.deepEqual(await db('workspace_members').where({ user_id: member.id }).pluck('workspace_id'), [other.workspace.id]);
  const invitation = await db('invitations').first();
  t.not(invitation.revoked_at, null);
  t.is(invitation.token_encrypted, null);
  await db('organization_members').insert({ organization_id: organization.id, user_id: member.id, role: 'member' });
  await refused('AUTH_REQUIRED', see, { key: agent });
  t.deepEqual(await recordedActs(db), ['member.removed']);
});

test('keys of the organization outlive the member who created them', async (t) => {
  const { db, call, organization, key } = await tenantStage(t);
  const member = await aMember(db, organization, 'admin');
  const owned = await aKey(db, { organization, user: member, scopes: ['workspace.read'], ownedByOrganization: true });
  t.is((await call(`DELETE /organizations/${organization.publicId}/members/${member.publicId}`, { key })).status, 204);
  t.is((await call(`GET /organizations/${organization.publicId}`, { key: owned })).status, 200);
});

test('two admins who remove each other concurrently leave one', async (t) => {
  const { db, databaseUrl } = await testApi(t);
  const other = connectPatiently({ url: databaseUrl, applicationName: 'test-other' });
  t.teardown(() => other.destroy());
  for (let round = 0; round < 10; round++) {
    const { organization, user } = await aTenant(db);
    const second = await aMember(db, organization, 'admin');
    const remove = (connection: typeof db, userId: number) =>
      connection.transaction((trx) => removeFromOrganization(trx, { organizationId: organization.id, userId }));
    const ends = await Promise.all([remove(db, user.id), remove(other, second.id)]);
    t.deepEqual(ends.sort(), ['done', 'last_admin']);
  }
});

test('organization members join a workspace with a role and leave it', async (t) => {
  const { db, call, refused, organization, workspace, key } = await tenantStage(t);
  const member = await aMember(db, organization, 'member');
  const route = `/workspaces/${workspace.publicId}/members`;
  const one = `${route}/${member.publicId}`;
  const { headers } = await aSession(db, member);
  await refused('WORKSPACE_NOT_FOUND', `GET ${route}`, { headers });

  t.like((await call(`PUT ${one}`, { key, body: { role: 'member' } })).body, {
    userId: member.publicId,
    role: 'member',
  });

  t.is((await call(`GET ${route}`, { headers })).body.members.length, 1);
  await refused('FORBIDDEN', `PUT ${one}`, { headers, body: { role: 'admin' } });
  await refused('FORBIDDEN', `DELETE ${one}`, { headers });
  t.is((await call(`PUT ${one}`, { key, body: { role: 'admin' } })).body.role, 'admin');
  t.is((await call(`PUT ${one}`, { headers, body: { role: 'admin' } })).body.role, 'admin');
  t.is((await call(`DELETE ${one}`, { headers })).status, 204);
  await refused('MEMBER_NOT_FOUND', `DELETE ${one}`, { key });
  t.deepEqual(await recordedActs(db), ['member.added', 'member.changed', 'member.removed']);
});

test('a user of another organization cannot join a workspace', async (t) => {
  const { db, refused } = await testApi(t);
  const mine = await aTenant(db);
  const other = await aTenant(db);
  const put = (user: string) => `PUT /workspaces/${mine.workspace.publicId}/members/${user}`;
  for (const user of [other.user.publicId, 'usr_00000000', 'usr_1']) {
    await refused('MEMBER_NOT_FOUND', put(user), { key: mine.apiKey, body: { role: 'admin' } });
  }
  t.is((await db('workspace_members')).length, 0);
});
