import { readFile } from 'node:fs/promises';
import test from 'ava';
import { selectTools, namedToolsets, toolsetOf, toolsets } from '../../../api/mcp/selection.ts';
import { everyTool } from '../../../api/mcp/tools.ts';
import { scopes } from '../../../contract/identity/scopes.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { type TestApi } from '../../harness/api/api.ts';
import { initialize, mcpClient, refusalOf } from '../../harness/api/mcp.ts';
import { aKey } from '../../harness/tenants.ts';

const tools = everyTool();
const context = ['getSession', 'listChannels', 'listWorkspaces'];
const chosenBy = (query: Readonly<Record<string, unknown>>) => [...selectTools(tools, query).chosen.keys()].sort();

const common = [...tools]
  .flatMap(([name, { route }]) => {
    const toolset = toolsetOf(route);
    return toolset !== undefined && namedToolsets.has(toolset) ? [] : [name];
  })
  .sort();

/** About 19,500 tokens. If it must grow, list fewer tools by default instead. */
const MAX_LISTING_BYTES = 79_000;

test("a full key's tool list stays small on one page", async (t) => {
  const { url, key } = await tenantStage(t);
  const client = await mcpClient(t, url, { key });
  const answer = await client.listTools();
  t.deepEqual(answer.tools.map(({ name }) => name).sort(), common);
  t.is(answer.nextCursor, undefined);
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  t.true(bytes < MAX_LISTING_BYTES, `${bytes} bytes`);
  const [, said] = /the list takes about (\d+) KB/.exec(await readFile('docs/mcp.md', 'utf8')) ?? [];
  t.true(Math.abs(bytes / 1_000 - Number(said)) < 2, `the guide says ${said} KB, and the list has ${bytes} bytes`);
  const deliveries = await (await mcpClient(t, url, { key, query: '?tools=deliveries,replays' })).listTools();
  t.true(Buffer.byteLength(JSON.stringify(deliveries)) < MAX_LISTING_BYTES / 4);
});

test('a listed schema omits details that only validation needs', (t) => {
  const schemaOf = (name: string) => tools.get(name)?.listing.inputSchema;
  t.deepEqual(schemaOf('getSession'), { type: 'object', additionalProperties: false });
  t.deepEqual(schemaOf('listListeners'), {
    type: 'object',
    properties: {
      channelId: { type: 'string', pattern: '^ch_' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', description: 'The previous `nextCursor`.' },
    },
    required: ['channelId'],
  });
  t.like(schemaOf('publishPageappPost'), {
    properties: { description: { type: 'string', description: 'For the kind video.' } },
  });
  for (const [name, { listing }] of tools) t.notRegex(JSON.stringify(listing), /X-Workspace-Id|\{8\}\$"/, name);
});

test("every tool has a toolset, and no toolset shares a tool's name", (t) => {
  for (const [name, { route }] of tools) t.not(toolsetOf(route), undefined, name);
  const used = new Set([...tools.values()].map(({ route }) => toolsetOf(route)));
  t.deepEqual([...used].sort(), Object.keys(toolsets).sort());
  for (const name of ['all', 'common', ...Object.keys(toolsets)]) t.false(tools.has(name), name);
});

test('the guide lists every toolset, and basic tools need no scope', async (t) => {
  const guide = await readFile(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
  const [table = ''] = /^\| Toolset [^]+?\n\n/m.exec(guide) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (.+)\|$/gm)].map(([, name, text]) => [name, text?.trim()]);
  t.deepEqual(Object.fromEntries(rows), { ...toolsets });
  for (const name of ['getSession', 'getEligibleScopes']) {
    const { access } = tools.get(name)!.route;
    t.is('scope' in access ? access.scope : undefined, null, name);
  }
});

test('a selection of toolsets or tools includes the context tools', (t) => {
  t.deepEqual(chosenBy({ tools: 'all' }), [...tools.keys()].sort());
  t.deepEqual(chosenBy({}), common);
  t.deepEqual(chosenBy({ tools: 'common' }), common);
  t.true(chosenBy({ tools: 'common,defaults' }).includes('applyOrganizationDefaultWebhook'));
  t.deepEqual(chosenBy({ tools: 'context' }), context);
  t.deepEqual(chosenBy({ tools: 'getDelivery' }), ['getDelivery', ...context]);
  const some = chosenBy({ tools: 'replays, sendMessage' });
  t.deepEqual(
    some.filter((name) => !context.includes(name)),
    ['cancelReplay', 'createReplay', 'getReplay', 'listReplays', 'pauseReplay', 'resumeReplay', 'sendMessage'],
  );
});

test('readOnly excludes every changing tool, even if named', (t) => {
  for (const query of [{ readOnly: 'true' }, { readOnly: 'true', tools: 'all,sendMessage,getChannelToken' }]) {
    const chosen = chosenBy(query);
    t.true(chosen.includes('listDeliveries'));
    t.deepEqual(
      chosen.filter((name) => !tools.get(name)?.listing.annotations?.readOnlyHint),
      [],
    );
    t.false(chosen.includes('getChannelToken'), 'it creates a token');
  }
  t.deepEqual(chosenBy({ readOnly: 'false' }), chosenBy({}));
  t.is(chosenBy({ tools: 'deliveries,replays', readOnly: 'true' }).length, 11, "as in the guide's example");
});

interface Refusal {
  readonly status: number;
  readonly body: { readonly code?: string; readonly message?: string };
}

async function refusalAt({ url }: TestApi, key: string, query: string): Promise<Refusal> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-api-key': key,
  };
  const answer = await fetch(`${url}/mcp${query}`, { method: 'POST', headers, body: JSON.stringify(initialize) });
  return { status: answer.status, body: answer.status === 200 ? {} : ((await answer.json()) as Refusal['body']) };
}

test('an unknown toolset, tool or parameter is refused by name', async (t) => {
  const api = await tenantStage(t);
  const { apiKey } = api;
  for (const [query, said] of [
    ['?tools=deliverys', /"deliverys".*all, common, context, channels.*deliveries/],
    ['?tools=deliveries,dropEverything', /no toolset or tool is named "dropEverything"/],
    ['?tools=toString', /"toString"/],
    ['?tools=', /no toolset or tool is named ""/],
    ['?tools=deliveries&tools=replays', /query\.tools/],
    ['?readOnly=yes', /query\.readOnly: must be one of true, false/],
    ['?readonly=true', /query\.readonly: unknown field/],
    ['?outputSchemas=1', /query\.outputSchemas/],
  ] as const) {
    const { status, body } = await refusalAt(api, apiKey, query);
    t.is(status, 400, query);
    t.is(body.code, 'VALIDATION_ERROR');
    t.regex(body.message ?? '', said);
  }
  const many = Array.from({ length: 500 }, (_, index) => `no${index}`).join(',');
  t.true((await refusalAt(api, apiKey, `?tools=${many}`)).body.message!.length < 1000);
  t.is((await refusalAt(api, apiKey, '?tools=deliveries,%20replays&readOnly=true')).status, 200);
  t.is(
    (await refusalAt(api, 'hmok_unknown', '?tools=deliverys')).body.code,
    'AUTH_REQUIRED',
    'the key is checked first',
  );
});

for (const [era, mode] of [
  ['newest', { pin: '2026-07-28' }],
  ['former', 'legacy'],
] as const) {
  test(`a client of the ${era} version sees only its selection`, async (t) => {
    const { db, url, workspace, key, channel } = await channelStage(t);
    const place = { workspaceId: workspace.publicId, channelId: channel.publicId };
    const client = await mcpClient(t, url, { key, mode, query: '?tools=channels&readOnly=true' });
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    t.deepEqual(listed.sort(), ['getChannel', 'listOutboundCalls', ...context].sort());
    const read = await client.callTool({ name: 'getChannel', arguments: place });
    t.like(read.structuredContent, { id: channel.publicId });
    for (const name of ['disableChannel', 'listDeliveries']) {
      await t.throwsAsync(client.callTool({ name, arguments: place }), { message: /left out by the query/ });
    }
    t.true((await db('channels').where({ public_id: channel.publicId }).first()).forwarding_enabled);
  });

  test(`a client of the ${era} version can validate with output schemas`, async (t) => {
    const { url, workspace, key } = await tenantStage(t);
    const client = await mcpClient(t, url, { key, mode, query: '?outputSchemas=true' });
    for (const { name, outputSchema } of (await client.listTools()).tools) {
      t.deepEqual(outputSchema, tools.get(name)?.outputSchema as typeof outputSchema, name);
    }
    const given = { workspaceId: workspace.publicId };
    t.like((await client.callTool({ name: 'listChannels', arguments: given })).structuredContent, { channels: [] });
    t.truthy(refusalOf(await client.callTool({ name: 'listChannels', arguments: {} })));
  });
}

test('a key lists allowed tools; other calls name the missing scope', async (t) => {
  const { db, url, tenant } = await tenantStage(t);
  const key = await aKey(db, { ...tenant, scopes: ['deliveries.read'] });
  const client = await mcpClient(t, url, { key });
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  for (const name of ['getSession', 'listDeliveries', 'getReplay']) t.true(listed.includes(name), name);
  for (const name of ['listChannels', 'retryDelivery', 'sendMessage', 'listAuditEntries']) {
    t.false(listed.includes(name), name);
  }
  const refused = refusalOf(await client.callTool({ name: 'retryDelivery', arguments: {} }));
  t.is(refused.code, 'AGENT_SCOPE_INSUFFICIENT');
  t.regex(refused.message, /deliveries\.replay/);
  const all = await mcpClient(t, url, { key: await aKey(db, { ...tenant, scopes: [...scopes] }) });
  const forAgents = common.filter((name) => {
    const { access } = tools.get(name)!.route;
    return 'scope' in access && access.principals.includes('agent');
  });
  t.deepEqual((await all.listTools()).tools.map(({ name }) => name).sort(), forAgents);
});

test('the tool list is private to a key and stably ordered', async (t) => {
  const { url, key } = await tenantStage(t);
  const client = await mcpClient(t, url, { key, mode: { pin: '2026-07-28' } });
  const { tools: first, cacheScope } = await client.listTools();
  t.is(cacheScope, 'private');
  const again = await mcpClient(t, url, { key });
  t.deepEqual(
    fieldsOf((await again.listTools()).tools, 'name'),
    first.map(({ name }) => name),
  );
});
