import test, { type ExecutionContext } from 'ava';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import { removeFromOrganization } from '../../../db/people/members.ts';
import { ensureUser } from '../../../db/people/users.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { eventually } from '../../harness/eventually.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aMember, aTenant, testSecretBox } from '../../harness/tenants.ts';

async function invitingApi(t: ExecutionContext) {
  const started: string[] = [];
  const sendInvitation = ({ invitationId }: { readonly invitationId: string }) => {
    started.push(invitationId);
    return Promise.resolve({ state: 'ended', result: 'started' } as const);
  };
  const api = await tenantStage(t, { starts: { sendInvitation } });
  const { tenant } = api;
  const route = `/organizations/${tenant.organization.publicId}/invitations`;
  const invite = async (body: object) => {
    const { body: invitation } = await api.call(`POST ${route}`, { key: tenant.apiKey, body });
    const row = await api.db('invitations').where({ public_id: invitation.invitationId }).first();
    const token = testSecretBox.open(row.token_encrypted, sealedContexts.invitationToken(row.public_id));
    return { invitation, row, token };
  };
  return { ...api, started, route, invite };
}

const ACCEPT = 'POST /invitations/accept';
const PREVIEW = 'POST /invitations/preview';

test('an invited user accepts once and joins organization and workspace', async (t) => {
  const { db, call, refused, invite, organization, workspace, started, route, apiKey: key } = await invitingApi(t);
  const where = { workspaceId: workspace.publicId, workspaceRole: 'admin' };
  const { invitation, row, token } = await invite({ email: 'Ann@Example.com', role: 'member', ...where });
  t.like(invitation, { email: 'ann@example.com', role: 'member', ...where, status: 'open' });
  t.deepEqual(started, [invitation.invitationId]);
  t.is(row.expires_at.getTime() - row.created_at.getTime(), 7 * 86_400_000);
  const { headers } = await aSession(db, await ensureUser(db, { email: 'ann@example.com' }));
  await refused('ORGANIZATION_NOT_FOUND', `GET /organizations/${organization.publicId}`, { headers });

  const { body } = await call(ACCEPT, { headers, body: { token } });

  t.deepEqual(body, { organizationId: organization.publicId, role: 'member', ...where });
  t.is((await call(`GET /workspaces/${workspace.publicId}`, { headers })).body.role, 'admin');
  await refused('INVITATION_NOT_FOUND', ACCEPT, { headers, body: { token } });
  t.is((await call(`GET ${route}`, { key })).body.invitations[0].status, 'accepted');
  t.is((await db('invitations').first()).token_encrypted, null);
  t.deepEqual(
    (await recordedActs(db)).filter((act) => act.startsWith('member.')),
    ['member.invited', 'member.added'],
  );
});

test('a person with the link sees who invites them', async (t) => {
  const { db, call, refused, invite, organization, workspace, user, apiKey: key } = await invitingApi(t);
  const ann = await aSession(db, await ensureUser(db, { email: 'ann@example.com' }));
  const eve = await aSession(db, await ensureUser(db, { email: 'eve@example.com' }));
  const { token } = await invite({ email: 'ann@example.com', role: 'member', workspaceId: workspace.publicId });
  const preview = { organizationName: organization.name, inviterEmail: user.email };
  const read = async ({ headers }: typeof ann) => (await call(PREVIEW, { headers, body: { token } })).body;
  t.deepEqual(await read(ann), { ...preview, isForCaller: true });
  t.deepEqual(await read(eve), { ...preview, isForCaller: false });
  await refused('INVITATION_NOT_FOUND', PREVIEW, { headers: ann.headers, body: { token: 'x' } });
  await refused('FORBIDDEN', PREVIEW, { key, body: { token } });
  await call(ACCEPT, { headers: ann.headers, body: { token } });
  await refused('INVITATION_NOT_FOUND', PREVIEW, { headers: ann.headers, body: { token } });
});

test('responses never contain the invitation token', async (t) => {
  const { call, invite, route, apiKey: key } = await invitingApi(t);
  const { invitation, token } = await invite({ email: 'ann@example.com', role: 'member' });
  t.false(JSON.stringify([invitation, (await call(`GET ${route}`, { key })).body]).includes(token));
});

test('only the invited user accepts an invitation, before it expires', async (t) => {
  const { db, refused, invite, organization, apiKey: key } = await invitingApi(t);
  const ann = await aSession(db, await ensureUser(db, { email: 'ann@example.com' }));
  const eve = await aSession(db, await ensureUser(db, { email: 'eve@example.com' }));
  const { token } = await invite({ email: 'ann@example.com', role: 'admin' });
  const not = async (session: typeof ann, given: string) =>
    await refused('INVITATION_NOT_FOUND', ACCEPT, { headers: session.headers, body: { token: given } });
  await not(eve, token);
  await not(ann, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`);
  await not(ann, 'x');
  await refused('FORBIDDEN', ACCEPT, { key, body: { token } });
  await db('invitations').update({ expires_at: new Date() });
  await not(ann, token);
  t.is((await db('organization_members').where({ organization_id: organization.id })).length, 1);
});

test('one of several concurrent acceptances succeeds', async (t) => {
  const { db, call, invite } = await invitingApi(t);
  const { headers } = await aSession(db, await ensureUser(db, { email: 'ann@example.com' }));
  const { token } = await invite({ email: 'ann@example.com', role: 'member' });
  const answers = await Promise.all([1, 2, 3].map(() => call(ACCEPT, { headers, body: { token } })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404]);
});

test('revoked invitations and those to deleted workspaces are invalid', async (t) => {
  const { db, call, refused, invite, route, workspace, apiKey: key } = await invitingApi(t);
  const { headers } = await aSession(db, await ensureUser(db, { email: 'ann@example.com' }));
  const { invitation, token } = await invite({ email: 'ann@example.com', role: 'member' });
  const one = `${route}/${invitation.invitationId}`;
  t.is((await call(`DELETE ${one}`, { key })).status, 204);
  await refused('INVITATION_NOT_FOUND', `DELETE ${one}`, { key });
  await refused('INVITATION_NOT_FOUND', ACCEPT, { headers, body: { token } });
  t.is((await call(`GET ${route}`, { key })).body.invitations[0].status, 'revoked');
  const toWorkspace = await invite({ email: 'ann@example.com', role: 'member', workspaceId: workspace.publicId });
  await db('workspaces').update({ deleted_at: new Date() });
  await refused('INVITATION_NOT_FOUND', ACCEPT, { headers, body: { token: toWorkspace.token } });
});

test('losing the right to invite withdraws open invitations', async (t) => {
  const { call, db, refused, invite, organization, user, apiKey: key } = await invitingApi(t);
  await aMember(db, organization, 'admin');
  const { token } = await invite({ email: 'second-self@example.com', role: 'admin' });
  const member = `/organizations/${organization.publicId}/members/${user.publicId}`;

  await call(`PATCH ${member}`, { key, body: { role: 'member' } });

  const { headers } = await aSession(db, await ensureUser(db, { email: 'second-self@example.com' }));
  await refused('INVITATION_NOT_FOUND', ACCEPT, { headers, body: { token } });
});

test('an invited member keeps their existing role', async (t) => {
  const { db, call, invite, organization, workspace } = await invitingApi(t);
  const member = await aMember(db, organization, 'member');
  const { headers } = await aSession(db, member);
  const { token } = await invite({ email: member.email, role: 'admin', workspaceId: workspace.publicId });
  t.like((await call(ACCEPT, { headers, body: { token } })).body, { role: 'member', workspaceRole: 'member' });
});

test('invalid invitations are refused', async (t) => {
  const { db, refused, route, workspace, apiKey: key } = await invitingApi(t);
  const other = await aTenant(db);
  const bad = async (body: object) => await refused('VALIDATION_ERROR', `POST ${route}`, { key, body });
  await bad({ email: 'nobody', role: 'member' });
  await bad({ email: 'ann@example.com', role: 'owner' });
  await bad({ email: 'ann@example.com', role: 'member', workspaceRole: 'admin' });
  await bad({ email: 'ann@example.com', role: 'member', workspaceId: 'ws_1' });
  for (const workspaceId of [other.workspace.publicId, 'ws_00000000']) {
    await refused('WORKSPACE_NOT_FOUND', `POST ${route}`, {
      key,
      body: { email: 'a@example.com', role: 'member', workspaceId },
    });
  }
  t.is(workspace.kind, 'team');
  t.is((await db('invitations')).length, 0);
});

test('an unsendable invitation is withdrawn; an uncertain one is reported', async (t) => {
  let state: 'not_started' | 'unknown' = 'not_started';
  const sendInvitation = () => Promise.resolve({ state, cause: new Error('away') } as const);
  const { db, refused, organization, key } = await tenantStage(t, { starts: { sendInvitation } });
  const route = `POST /organizations/${organization.publicId}/invitations`;
  const body = { email: 'ann@example.com', role: 'member' };
  await refused('WORKFLOW_UNAVAILABLE', route, { key, body });
  t.not((await db('invitations').first()).revoked_at, null);
  state = 'unknown';
  const { body: answer } = await refused('PLATFORM_OUTCOME_UNKNOWN', route, { key, body });
  const open = await db('invitations').whereNull('revoked_at').first();
  t.true(answer.message.includes(open.public_id));
  t.deepEqual(await recordedActs(db), ['member.invited', 'invitation.revoked', 'member.invited']);
});

test('an address gets three invitations a day from all organizations', async (t) => {
  const { db, call, refused, route, apiKey: key } = await invitingApi(t);
  const other = await aTenant(db);
  const body = { email: 'ann@example.com', role: 'member' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => call(`POST ${route}`, { key, body })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 429, 429]);
  const theirs = `POST /organizations/${other.organization.publicId}/invitations`;
  const { headers } = await refused('RATE_LIMITED', theirs, { key: other.apiKey, body });
  t.true(Number(headers.get('retry-after')) > 80_000);
  t.is((await call(`POST ${route}`, { key, body: { ...body, email: 'bob@example.com' } })).status, 201);
  await db('invitations').update({ created_at: db.raw("now() - interval '25 hours'") });
  t.is((await call(theirs, { key: other.apiKey, body })).status, 201);
});

test('a new organization sends five daily invitations; an established one more', async (t) => {
  const { db, call, refused, route, user, organization, apiKey: key } = await invitingApi(t);
  await db('organizations').where({ id: organization.id }).update({ made_by: user.id });
  const invite = (name: string) =>
    [`POST ${route}`, { key, body: { email: `${name}@example.com`, role: 'member' } }] as const;
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => call(...invite(name))));
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 429, 429]);
  await refused('RATE_LIMITED', ...invite('h'));
  await db('organizations').update({ created_at: db.raw("now() - interval '31 days'") });
  t.is((await call(...invite('i'))).status, 201);
});

test('new organizations do not keep established ones from inviting', async (t) => {
  const sendInvitation = () => Promise.resolve({ state: 'ended', result: 'started' } as const);
  const api = await tenantStage(t, { starts: { sendInvitation }, invitationsPerDay: 8 });
  const { db, call, refused, tenant: settled } = api;
  const inviteTo = (tenant: typeof settled, email: string) => {
    const path = `POST /organizations/${tenant.organization.publicId}/invitations`;
    return [path, { key: tenant.apiKey, body: { email, role: 'member' } }] as const;
  };
  for (const name of ['a', 'b', 'c', 'd']) {
    const tenant = await aTenant(db);
    await db('organizations').where({ id: tenant.organization.id }).update({ made_by: tenant.user.id });
    const email = name === 'd' ? 'dan@example.com' : 'ann@example.com';
    t.is((await call(...inviteTo(tenant, email))).status, 201);
    if (name === 'd') await refused('RATE_LIMITED', ...inviteTo(tenant, 'eve@example.com'));
  }
  for (const name of ['ann', 'bob', 'dan', 'eve']) {
    t.is((await call(...inviteTo(settled, `${name}@example.com`))).status, 201);
  }
  await refused('RATE_LIMITED', ...inviteTo(settled, 'fay@example.com'));
});

test('an admin who is removed while inviting leaves no invitation', async (t) => {
  const { db, call, organization, started, route } = await invitingApi(t);
  const leaving = await aMember(db, organization, 'admin');
  const { headers } = await aSession(db, leaving);
  const removal = await db.transaction();
  const member = { organizationId: organization.id, userId: leaving.id };
  t.is(await removeFromOrganization(removal, member), 'done');
  const asked = call(`POST ${route}`, { headers, body: { email: 'mole@example.com', role: 'admin' } });
  await eventually(async () => {
    const { rows } = await db.raw(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length === 1;
  });
  await removal.commit();
  t.like((await asked).body, { statusCode: 403, code: 'FORBIDDEN' });
  t.deepEqual([await db('invitations'), started], [[], []]);
});
