import test from 'ava';
import { testApi } from '../../harness/api/api.ts';
import { aChannel, aKey, aMember, aTenant } from '../../harness/tenants.ts';

const route = 'GET /platform/channels';

test('a request without a valid key is refused with instructions', async (t) => {
  const { db, refused } = await testApi(t);
  const { workspace } = await aTenant(db);
  for (const key of [undefined, 'hmok_unknown', 'something-else']) {
    const { status, headers } = await refused('AUTH_REQUIRED', route, { key, workspace: workspace.publicId });
    t.is(status, 401);
    t.is(
      headers.get('www-authenticate'),
      'Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
    );
  }
});

test('revoked and expired keys are refused', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  t.is((await call(route, { key, workspace: workspace.publicId })).status, 200);
  await db('api_keys').update({ expires_at: new Date(Date.now() - 1000) });
  await refused('AUTH_REQUIRED', route, { key, workspace: workspace.publicId });
  await db('api_keys').update({ expires_at: null, revoked_at: new Date() });
  await refused('AUTH_REQUIRED', route, { key, workspace: workspace.publicId });
});

test('the management API refuses a channel token', async (t) => {
  const { refused } = await testApi(t);
  t.is((await refused('CREDENTIAL_NOT_ACCEPTED_HERE', route, { key: 'hmat_x' })).status, 401);
});

test("the workspace header must name a workspace of the caller's organization", async (t) => {
  const { db, refused } = await testApi(t);
  const [mine, other] = [await aTenant(db), await aTenant(db)];
  const { apiKey: key } = mine;
  await refused('VALIDATION_ERROR', route, { key });
  await refused('VALIDATION_ERROR', route, { key, workspace: 'ws_short' });
  await refused('WORKSPACE_NOT_FOUND', route, { key, workspace: 'ws_00000000' });
  const { status } = await refused('WORKSPACE_ORG_MISMATCH', route, { key, workspace: other.workspace.publicId });
  t.is(status, 403);
});

test('a deleted workspace does not exist', async (t) => {
  const { db, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  await db('workspaces').where({ id: workspace.id }).update({ deleted_at: new Date() });
  await refused('WORKSPACE_NOT_FOUND', route, { key, workspace: workspace.publicId });
});

test('a limited credential requires scope, membership and role', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
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
  const { db, refused } = await testApi(t);
  const { organization, workspace, user } = await aTenant(db);
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
