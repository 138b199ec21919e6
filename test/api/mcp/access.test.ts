import test, { type ExecutionContext } from 'ava';
import { createRateLimits } from '../../../api/requests/rate-limits.ts';
import { everyTool } from '../../../api/mcp/tools.ts';
import { neededScopes, type PathParameter } from '../../../openapi/definitions/route-definition.ts';
import { scopes } from '../../../contract/identity/scopes.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { baseUrl, type TestApi, testApi } from '../../harness/api/api.ts';
import { aSampledTenant } from '../../harness/access/id-samples.ts';
import { sampleOf } from '../../harness/api/schema-sample.ts';
import { initialize, mcpClient, postMcp, refusalOf } from '../../harness/api/mcp.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aKey, aMember, aTenant } from '../../harness/tenants.ts';

const tools = everyTool();
const challenge = `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;

async function refused(t: ExecutionContext, { url }: TestApi, headers: Readonly<Record<string, string>>) {
  const answer = await postMcp(url, initialize, headers);
  t.is(answer.headers.get('x-request-id'), answer.body.requestId);
  t.is(answer.status, answer.body.statusCode);
  if (answer.status === 401) t.is(answer.headers.get('www-authenticate'), challenge);
  return answer.body.code;
}

test('a request without a valid X-API-Key is refused with instructions', async (t) => {
  const api = await tenantStage(t);
  const { apiKey, user } = api;
  const { headers: cookie, accessToken } = await aSession(api.db, user);
  t.is(await refused(t, api, {}), 'AUTH_REQUIRED');
  t.is(await refused(t, api, { 'x-api-key': 'hmok_unknown' }), 'AUTH_REQUIRED');
  t.is(await refused(t, api, { 'x-api-key': accessToken }), 'AUTH_REQUIRED');
  t.is(await refused(t, api, cookie), 'AUTH_REQUIRED');
  t.is(await refused(t, api, { 'x-api-key': 'hmat_x' }), 'CREDENTIAL_NOT_ACCEPTED_HERE');
  await api.db('api_keys').update({ revoked_at: new Date() });
  t.is(await refused(t, api, { 'x-api-key': apiKey }), 'AUTH_REQUIRED');
  await t.throwsAsync(mcpClient(t, api.url, { key: 'hmok_unknown' }), { message: /401|Unauthorized|AUTH_REQUIRED/ });
});

test('a key in Authorization is refused, even beside a valid one', async (t) => {
  const api = await tenantStage(t);
  const { apiKey } = api;
  const authorization = `Bearer ${apiKey}`;
  t.is(await refused(t, api, { authorization }), 'CREDENTIAL_NOT_ACCEPTED_HERE');
  t.is(await refused(t, api, { authorization, 'x-api-key': apiKey }), 'CREDENTIAL_NOT_ACCEPTED_HERE');
  const elsewhere = await fetch(`${api.url}/auth/session`, { headers: { 'x-api-key': apiKey } });
  t.is(elsewhere.status, 401, 'X-API-Key works only at /mcp');
});

test('the metadata and guide name the X-API-Key header only', async (t) => {
  const { call, url } = await testApi(t);
  const { body } = await call('GET /.well-known/oauth-protected-resource/mcp');
  t.like(body, { resource: `${baseUrl}/mcp`, bearer_methods_supported: [] });
  t.regex(await (await fetch(`${url}/auth.md`)).text(), /`https:\/\/api\.example\.com\/mcp`[^#]+`X-API-Key`/);
});

test('staff keys are refused', async (t) => {
  const api = await testApi(t);
  const { token } = await aStaffKey(api.db);
  t.is(await refused(t, api, { 'x-api-key': token }), 'FORBIDDEN');
});

test('every tool checks scopes before it looks up resources', async (t) => {
  const { db, url, tenant } = await tenantStage(t);
  const withoutEach = new Map<string, Awaited<ReturnType<typeof mcpClient>>>();
  for (const scope of scopes) {
    const key = await aKey(db, { ...tenant, scopes: scopes.filter((other) => other !== scope) });
    withoutEach.set(scope, await mcpClient(t, url, { key, query: '?tools=all' }));
  }
  for (const [name, { route }] of tools) {
    for (const scope of route.access.auth === 'none' ? [] : neededScopes(route.access)) {
      const error = refusalOf(await withoutEach.get(scope)!.callTool({ name, arguments: {} }));
      t.is(error?.code, 'AGENT_SCOPE_INSUFFICIENT', name);
      t.true(error.message.includes(scope));
    }
  }
});

test("another tenant's resources do not exist for a tool", async (t) => {
  const { db, url } = await testApi(t);
  const mine = await aSampledTenant(db);
  const theirs = await aSampledTenant(db);
  const client = await mcpClient(t, url, { key: mine.apiKey, query: '?tools=all' });
  const codeOf = (parameter: PathParameter) => (parameter.kind === 'platformId' ? undefined : parameter.notFound);
  for (const [name, { route }] of tools) {
    const [first] = Object.values(route.parameters);
    if (!first || first.kind === 'platformId') continue;
    const ids = Object.entries(route.parameters).map(([param, { kind }]) =>
      kind === 'platformId' ? [param, theirs.id(kind)] : [`${kind}Id`, theirs.id(kind)],
    );
    const given = { workspaceId: mine.workspace.publicId, ...Object.fromEntries(ids) };
    // A route whose record names the place checks the body first.
    const body = route.access.auth === 'credential' && route.access.within === 'scope' && route.body;
    const { workspaceId: _own, ...alone } = { ...given, ...(body && (sampleOf(body) as object)) };
    const takesWorkspace = 'workspaceId' in (tools.get(name)?.listing.inputSchema.properties ?? {});
    // The body is checked later.
    const error = refusalOf(
      await client.callTool({ name, arguments: takesWorkspace ? { ...alone, workspaceId: given.workspaceId } : alone }),
    );
    t.is(error?.code, codeOf(first), `${name}: ${error?.message}`);
  }
});

test('foreign workspaces and insufficient roles are refused as on routes', async (t) => {
  const { db, url } = await testApi(t);
  const mine = await aTenant(db);
  const theirs = await aTenant(db);
  const user = await aMember(db, mine.organization, 'member');
  const client = await mcpClient(t, url, { key: mine.apiKey });
  const foreign = { workspaceId: theirs.workspace.publicId };
  t.is(refusalOf(await client.callTool({ name: 'listChannels', arguments: foreign })).code, 'WORKSPACE_ORG_MISMATCH');
  const low = await mcpClient(t, url, { key: await aKey(db, { ...mine, user, scopes: ['workspace.manage'] }) });
  const own = { workspaceId: mine.workspace.publicId };
  t.is(refusalOf(await low.callTool({ name: 'deleteWorkspace', arguments: own })).code, 'WORKSPACE_NOT_FOUND');
  const members = { organizationId: mine.organization.publicId };
  t.is(refusalOf(await low.callTool({ name: 'listOrganizationMembers', arguments: members })).code, 'FORBIDDEN');
});

const plenty = { perCredential: 1000, perAddress: 1000, failuresPerAddress: 1000 };

test('each tool call counts once and reports its exceeded limit', async (t) => {
  const { url, key } = await tenantStage(t, { rateLimits: createRateLimits({ ...plenty, perCredential: 3 }) });
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'getSession' } });
  const one = await postMcp(url, call(1), { 'x-api-key': key });
  t.is(one.status, 200);
  const { status, messages } = await postMcp(url, [call(1), call(2), call(3)], { 'x-api-key': key });
  t.is(status, 200);
  const errors = messages.map(({ result }) => refusalOf(result));
  t.deepEqual(errors.map((error) => error?.code).sort(), ['RATE_LIMITED', undefined, undefined]);
  const { retryAfter } = errors.find((error) => error !== undefined);
  t.true(retryAfter >= 1 && retryAfter <= 60);
  const listing = await postMcp(url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { 'x-api-key': key });
  t.like(listing, { status: 429, body: { code: 'RATE_LIMITED' } });
  t.truthy(listing.headers.get('retry-after'));
});

test('each call of an unknown tool counts towards the rate limit', async (t) => {
  const { url, key } = await tenantStage(t, { rateLimits: createRateLimits({ ...plenty, perCredential: 2 }) });
  const unknown = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'dropEverything' } };
  t.is((await postMcp(url, [unknown, unknown, unknown], { 'x-api-key': key })).body.code, 'RATE_LIMITED');
});

test('a request with too many messages is refused before parsing', async (t) => {
  const { url, key } = await tenantStage(t, { rateLimits: createRateLimits({ ...plenty, perCredential: 1 }) });
  const { status, body } = await postMcp(
    url,
    Array.from({ length: 101 }, () => ({})),
    { 'x-api-key': key },
  );
  t.like({ status, body }, { status: 400, body: { code: 'VALIDATION_ERROR' } });
  t.is((await postMcp(url, initialize, { 'x-api-key': key })).status, 429, 'the refused one was counted');
});

test('repeated invalid keys of one address get 429; valid ones pass', async (t) => {
  const api = await tenantStage(t, { rateLimits: createRateLimits({ ...plenty, failuresPerAddress: 1 }) });
  const { apiKey } = api;
  t.is(await refused(t, api, { 'x-api-key': 'hmok_unknown' }), 'AUTH_REQUIRED');
  t.is(await refused(t, api, { 'x-api-key': 'hmok_unknown' }), 'RATE_LIMITED');
  t.is((await postMcp(api.url, initialize, { 'x-api-key': apiKey })).status, 200);
});
