import { request } from 'node:http';
import test from 'ava';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { baseUrl } from '../../harness/api/api.ts';
import { initialize, mcpClient, postMcp, refusalOf } from '../../harness/api/mcp.ts';

for (const [era, mode] of [
  ['newest', { pin: '2026-07-28' }],
  ['former', 'legacy'],
] as const) {
  test(`a client of the ${era} version lists tools, reads and writes`, async (t) => {
    const { db, url, workspace, key, channel } = await channelStage(t);
    const client = await mcpClient(t, url, { key, mode });

    t.is(client.getServerVersion()?.name, 'messaging-channels');
    t.regex(client.getInstructions() ?? '', /PLATFORM_OUTCOME_UNKNOWN/);
    const { tools } = await client.listTools();
    t.true(tools.some(({ name }) => name === 'listChannels'));

    const place = { workspaceId: workspace.publicId };
    const listed = await client.callTool({ name: 'listChannels', arguments: { ...place, limit: 1 } });
    t.like(listed.structuredContent, { channels: [{ id: channel.publicId }], nextCursor: null });
    t.deepEqual(listed.content, [{ type: 'text', text: JSON.stringify(listed.structuredContent) }]);

    const written = await client.callTool({
      name: 'disableChannel',
      arguments: { ...place, channelId: channel.publicId },
    });
    t.like(written.structuredContent, { id: channel.publicId, forwardingEnabled: false });
    t.is(refusalOf(written), undefined);
    t.false((await db('channels').where({ public_id: channel.publicId }).first()).forwarding_enabled);
  });
}

test('the guide and the OpenAPI document can be read as resources', async (t) => {
  const { url, key } = await tenantStage(t);
  const client = await mcpClient(t, url, { key });
  const { resources } = await client.listResources();
  t.deepEqual(fieldsOf(resources, 'uri'), [`${baseUrl}/auth.md`, `${baseUrl}/openapi.json`]);
  for (const { uri, mimeType } of resources) {
    const { contents } = await client.readResource({ uri });
    const served = await (await fetch(uri.replace(baseUrl, url))).text();
    t.deepEqual(contents, [{ uri, mimeType, text: served }]);
  }
  await t.throwsAsync(client.readResource({ uri: `${baseUrl}/readyz` }));
});

test('an oversized, malformed, empty or mistyped body is refused', async (t) => {
  const { url, key } = await tenantStage(t);
  const send = async (body: string, more = {}) => (await postMcp(url, body, { 'x-api-key': key, ...more })).body.code;
  t.is(await send(JSON.stringify({ ...initialize, filler: 'x'.repeat(1024 * 1024) })), 'PAYLOAD_TOO_LARGE');
  t.is(await send('{'), 'MALFORMED_JSON');
  t.is(await send(''), 'MALFORMED_JSON');
  t.is(await send('{}', { 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE');
  for (const body of ['null', '5', '[]', '{}', '[[]]']) {
    const { status } = await postMcp(url, body, { 'x-api-key': key });
    t.is(status, 400, body);
  }
});

test('foreign origins and rebound host names are refused', async (t) => {
  const { url, apiKey } = await tenantStage(t);
  const headers = { 'x-api-key': apiKey };
  for (const origin of ['https://evil.example.com', 'null', 'http://127.0.0.1.evil.example.com', 'nonsense']) {
    t.like(await postMcp(url, initialize, { ...headers, origin }), { status: 403, body: { code: 'FORBIDDEN' } });
  }
  t.is((await postMcp(url, initialize, { ...headers, origin: baseUrl })).status, 200);
  // fetch does not allow a custom Host header.
  const statusOf = (host: string) =>
    new Promise((resolve, reject) => {
      const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const call = request(`${url}/mcp`, { method: 'POST', headers: { ...headers, ...type, host } }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      call.once('error', reject).end(JSON.stringify(initialize));
    });
  t.is(await statusOf('evil.example.com'), 403);
  t.is(await statusOf('[x'), 403);
  for (const host of ['api.example.com', 'localhost:3000', '[::1]:3000', '192.0.2.7']) t.is(await statusOf(host), 200);
});

test('the server refuses sessions and subscriptions', async (t) => {
  const { url, key } = await tenantStage(t);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${url}/mcp`, { method, headers: { 'x-api-key': key } });
    t.is(response.status, 405);
    t.is(response.headers.get('allow'), 'POST, OPTIONS');
  }
  const client = await mcpClient(t, url, { key });
  t.is(client.getServerCapabilities()?.tools?.listChanged, undefined);
  await t.throwsAsync(client.listen({ toolsListChanged: true }));
});

test('batched calls are all answered; a notification gets no answer', async (t) => {
  const { url, apiKey, workspace } = await tenantStage(t);
  const call = (id: number, workspaceId: string) => {
    const params = { name: 'listChannels', arguments: { workspaceId } };
    return { jsonrpc: '2.0', id, method: 'tools/call', params };
  };
  const batch = [call(1, workspace.publicId), call(2, 'ws_00000000')];
  const { messages } = await postMcp(url, batch, { 'x-api-key': apiKey });
  t.deepEqual(messages.map(({ id, result }) => [id, refusalOf(result)?.code]).sort(), [
    [1, undefined],
    [2, 'WORKSPACE_NOT_FOUND'],
  ]);
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { status, body, headers } = await postMcp(url, notification, { 'x-api-key': apiKey });
  t.deepEqual({ status, body }, { status: 202, body: '' });
  t.is(headers.get('cache-control'), 'no-store');
});
