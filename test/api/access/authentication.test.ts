import test from 'ava';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { aKey, aMember, aTenant } from '../../harness/tenants.ts';

const route = 'GET /platform/channels';

test('a request without a valid key is refused with instructions', async (t) => {
  const { refused, workspace } = await tenantStage(t);
  for (const key of [undefined, 'hmok_unknown', 'something-else']) {
    const { status, headers } = await refused('AUTH_REQUIRED', route, { key, workspace: workspace.publicId });
    t.is(status, 401);
    t.is(
      headers.get('www-authenticate'),
      'Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
    );
  }
});

test("the workspace header must name a workspace of the caller's organization", async (t) => {
  const { db, refused } = await testApi(t);
  const mine = await aTenant(db);
  const other = await aTenant(db);
  const { apiKey: key } = mine;
  await refused('VALIDATION_ERROR', route, { key });
  await refused('VALIDATION_ERROR', route, { key, workspace: 'ws_short' });
  await refused('WORKSPACE_NOT_FOUND', route, { key, workspace: 'ws_00000000' });
  const { status } = await refused('WORKSPACE_ORG_MISMATCH', route, { key, workspace: other.workspace.publicId });
  t.is(status, 403);
});

test('a deleted workspace does not exist', async (t) => {
  const { db, refused, workspace, at } = await tenantStage(t);
  await db('workspaces').where({ id: workspace.id }).update({ deleted_at: new Date() });
  await refused('WORKSPACE_NOT_FOUND', route, at);
});

test('a limited credential requires scope, membership and role', async (t) => {
  const { db, call, refused, organization, workspace, channel } = await channelStage(t);
  const user = await aMember(db, organization, 'member');
  const key = await aKey(db, { organization, user, scopes: ['channel.read', 'channel.manage'] });
  const at = { key, workspace: workspace.publicId };
  const { body } = await refused('AGENT_SCOPE_INSUFFICIENT', `GET /webhook-config/${channel.publicId}`, at);
  t.regex(body.message, /webhook\.manage/);
  await refused('WORKSPACE_NOT_FOUND', route, at);
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: user.id, role: 'member' });
  t.is((await call(route, at)).body.channels.length, 1);
  await refused('FORBIDDEN', `POST /platform/channels/${channel.publicId}/disable`, at);
  await db('workspace_members').update({ role: 'admin' });
  t.is((await call(`POST /platform/channels/${channel.publicId}/disable`, at)).status, 200);
});

test("a limited credential ends with its user's membership", async (t) => {
  const { db, refused, organization, workspace, user } = await tenantStage(t);
  const key = await aKey(db, { organization, user, scopes: ['channel.read'] });
  await db('organization_members').delete();
  await refused('AUTH_REQUIRED', route, { key, workspace: workspace.publicId });
});

test('the API keeps a well-formed request id and replaces others', async (t) => {
  const { refused } = await testApi(t);
  const kept = await refused('AUTH_REQUIRED', route, { headers: { 'x-request-id': 'my-request.1' } });
  t.is(kept.headers.get('x-request-id'), 'my-request.1');
  const replaced = await refused('AUTH_REQUIRED', route, { headers: { 'x-request-id': 'not allowed!' } });
  t.regex(replaced.headers.get('x-request-id') ?? '', /^req_/);
});
