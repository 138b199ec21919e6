import test from 'ava';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { mcpClient, postMcp, refusalOf } from '../../harness/api/mcp.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

test('a refusal names the wrong argument', async (t) => {
  const { url, workspace, key, channel } = await channelStage(t);
  const client = await mcpClient(t, url, { key });
  const place = { workspaceId: workspace.publicId, channelId: channel.publicId };
  for (const [name, given, said] of [
    ['listChannels', {}, /workspaceId/],
    ['listChannels', { workspaceId: 'here' }, /workspaceId/],
    ['listChannels', { workspaceId: workspace.publicId, limit: 1000 }, /limit/],
    ['listChannels', { workspaceId: workspace.publicId, limit: {} }, /limit/],
    ['listChannels', { workspaceId: workspace.publicId, invented: 1 }, /invented/],
    ['getChannel', { workspaceId: workspace.publicId }, /channelId/],
    ['getChannel', { ...place, channelId: 7 }, /channelId/],
    ['putWebhookConfig', { ...place, webhookUrl: 'nowhere' }, /webhookUrl/],
    ['putWebhookConfig', { ...place, webhookUrl: 'https://example.com', body: {} }, /body/],
    ['rotateWebhookHmac', { ...place, idempotencyKey: '' }, /idempotencyKey/],
    ['sendMessage', { channelId: channel.publicId }, /body: an object/],
    ['sendMessage', { channelId: channel.publicId, body: { to: '15551230000', text: '' } }, /text/],
    ['sendMessage', { channelId: channel.publicId, to: '1', text: 'x' }, /to: unknown field/],
  ] as const) {
    const error = refusalOf(await client.callTool({ name, arguments: given }));
    t.is(error?.code, 'VALIDATION_ERROR', `${name} ${JSON.stringify(given)}`);
    t.regex(error.message, said);
    t.notRegex(error.message, /(^|; )(?:query|path)\.|X-Workspace-Id/, 'the parts of a request are no arguments');
  }
  const named = async (name: string, given: Record<string, unknown>) =>
    refusalOf(await client.callTool({ name, arguments: given })).message;
  t.regex(await named('listReplays', { scope: 'none' }), /^scope: /);
  t.regex(await named('listReplays', {}), /^scope: required without workspaceId/);
  t.regex(await named('createReplay', { ...place, scope: 'none' }), /^scope: .*; since: /);
  t.regex(await named('setDestinationOrdering', { channelId: channel.publicId }), /^destination: is required; /);
  t.regex(await named('sendMessage', { channelId: channel.publicId, body: { to: 7 } }), /body\.\w+: /);
});

test('a refusal carries the Error object as text and metadata', async (t) => {
  const { url, workspace, key } = await tenantStage(t);
  const client = await mcpClient(t, url, { key, headers: { 'x-request-id': 'my-request' } });
  await client.listTools();
  const given = { workspaceId: workspace.publicId, channelId: 'ch_00000000' };
  const result = await client.callTool({ name: 'getChannel', arguments: given });
  t.deepEqual(refusalOf(result), {
    statusCode: 404,
    code: 'CHANNEL_NOT_FOUND',
    message: 'The channel does not exist.',
    requestId: 'my-request',
  });
  t.deepEqual(result._meta?.error, refusalOf(result));
  t.is(result.structuredContent, undefined);
});

test('a temporary refusal carries retryAfter', async (t) => {
  const { url, workspace, key, channel } = await channelStage(t);
  const client = await mcpClient(t, url, { key });
  const given = { workspaceId: workspace.publicId, channelId: channel.publicId };
  const result = await client.callTool({ name: 'rotateChannelToken', arguments: given });
  t.like(refusalOf(result), { code: 'WORKFLOW_UNAVAILABLE', retryAfter: 5 });
});

test('a call of an unknown tool is a protocol error', async (t) => {
  const { url, key } = await tenantStage(t);
  const client = await mcpClient(t, url, { key });
  await t.throwsAsync(client.callTool({ name: 'streamDeliveries', arguments: {} }), { message: /no tool/ });
  await t.throwsAsync(client.callTool({ name: 'createApiKey', arguments: {} }), { message: /no tool/ });
});

test('a repeat with the same idempotencyKey returns the first result', async (t) => {
  const { url, workspace, key, channel } = await channelStage(t);
  const client = await mcpClient(t, url, { key });
  const rotate = async (more: object) => {
    const given = { workspaceId: workspace.publicId, channelId: channel.publicId, idempotencyKey: 'once', ...more };
    return await client.callTool({ name: 'rotateWebhookHmac', arguments: given });
  };
  const first = await rotate({});
  t.regex(String((first.structuredContent as { hmacSecret: string }).hmacSecret), /^whsec_/);
  t.deepEqual((await rotate({})).structuredContent, first.structuredContent);
  t.is(refusalOf(await rotate({ overlapSeconds: 60 })).code, 'IDEMPOTENCY_KEY_REUSED');
});

test('tool calls are audited and logged without arguments', async (t) => {
  const log = rememberingLog();
  const { db, url, organization, workspace, key } = await tenantStage(t, { log });
  const client = await mcpClient(t, url, { key, headers: { 'x-request-id': 'my-request' } });
  const name = 'a name of no one';
  const given = { organizationId: organization.publicId, kind: 'customer', name };
  await client.callTool({ name: 'createWorkspace', arguments: given });
  const place = { workspaceId: workspace.publicId };
  const deleted = await client.callTool({ name: 'deleteWorkspace', arguments: place });
  t.deepEqual(deleted.content, [{ type: 'text', text: 'Done; there is nothing to return.' }]);
  const entry = await db('audit_entries').where({ action: 'workspace.deleted' }).first();
  t.like(entry, { caller_request_id: 'my-request', actor_type: 'api_key' });
  await client.close();
  const lines = log.lines.filter(({ event }) => event === 'toolCall.served');
  t.like(lines[1], { tool: 'deleteWorkspace', callerRequestId: 'my-request', ...place });
  t.false(JSON.stringify(log.lines).includes(name));
});

test('each call of a batch logs one line with its outcome', async (t) => {
  const log = rememberingLog();
  const { url, workspace, organization, key } = await tenantStage(t, { log });
  const call = (name: string, given: object, id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: given },
  });
  const place = { workspaceId: workspace.publicId };
  const batch = [
    call('getChannel', { ...place, channelId: 'ch_00000000' }, 1),
    call('listChannels', place, 2),
    call('getSession', {}, 3),
  ];
  const { status } = await postMcp(url, batch, { 'x-api-key': key });
  t.is(status, 200);
  const lines = log.lines.filter(({ event }) => event === 'toolCall.served');
  const byTool = new Map(lines.map((line) => [line.tool, line]));
  t.deepEqual([...byTool.keys()].toSorted(), ['getChannel', 'getSession', 'listChannels']);
  t.is(byTool.get('getChannel')?.code, 'CHANNEL_NOT_FOUND');
  t.is(byTool.get('listChannels')?.code, undefined);
  t.like(byTool.get('listChannels'), place);
  t.is(byTool.get('getSession')?.workspaceId, undefined);
  for (const line of lines) t.is(line.organizationId, organization.publicId);
});

test('an unexpected error is logged and answered as INTERNAL without detail', async (t) => {
  const log = rememberingLog();
  const { db, url, workspace, key } = await tenantStage(t, { log });
  const client = await mcpClient(t, url, { key });
  await client.listTools();
  await db.raw('alter table channels rename to away');
  const given = { workspaceId: workspace.publicId };
  const error = refusalOf(await client.callTool({ name: 'listChannels', arguments: given }));
  t.is(error.code, 'INTERNAL');
  t.notRegex(error.message, /relation|select|channels/);
  t.true(log.lines.some(({ event, tool }) => event === 'toolCall.failed' && tool === 'listChannels'));
});

test('tools send a message, upload a file and download it', async (t) => {
  const { url, apiKey: key, channel, calls } = await platformStage(t, 'chatapp');
  const client = await mcpClient(t, url, { key });
  await client.listTools();
  const channelId = channel.publicId;
  const message = { channelId, body: { to: '15551230000', text: 'Hello' }, idempotencyKey: 'hello' };
  const sent = await client.callTool({ name: 'sendMessage', arguments: message });
  t.like(sent.structuredContent, { channelId });
  const again = await client.callTool({ name: 'sendMessage', arguments: message });
  t.deepEqual(again.structuredContent, sent.structuredContent);
  t.is(calls.length, 1);

  const data = Buffer.from('a picture').toString('base64');
  const file = { channelId, contentType: 'image/png', data };
  const up = await client.callTool({ name: 'uploadChatappMedia', arguments: file });
  const { mediaId } = up.structuredContent as { mediaId: string };
  const down = await client.callTool({ name: 'downloadChatappMedia', arguments: { channelId, mediaId } });
  t.deepEqual(down.content, [{ type: 'image', data, mimeType: 'image/png' }]);

  for (const wrong of [{ data: 'no base64!' }, { data: '' }, { contentType: 7 }]) {
    const refused = await client.callTool({ name: 'uploadChatappMedia', arguments: { ...file, ...wrong } });
    t.is(refusalOf(refused)?.code, 'VALIDATION_ERROR');
  }
  const large = { ...file, data: Buffer.alloc(700 * 1024 + 1).toString('base64') };
  const refused = await client.callTool({ name: 'uploadChatappMedia', arguments: large });
  t.is(refusalOf(refused)?.code, 'PAYLOAD_TOO_LARGE');
});
