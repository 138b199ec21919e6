import test from 'ava';
import { createClient } from '../../client/create-client.ts';
import { ApiError, NetworkError } from '../../client/errors.ts';
import { records } from '../../client/pages.ts';
import { startTestServer, sendJson } from './test-server.ts';

test('a request sends credential and workspace and returns the body', async (t) => {
  const { client, requests } = await startTestServer(t, (_, response) =>
    sendJson(response, { status: 200, body: { channels: [], nextCursor: null } }),
  );
  const { channels } = await client({ credential: 'hmok_1', workspaceId: 'ws_1', userAgent: 'test' }).get(
    '/platform/channels',
    {
      params: { query: { limit: 2 } },
    },
  );
  t.deepEqual(channels, []);
  t.is(requests[0]?.url, '/platform/channels?limit=2');
  t.like(requests[0]?.headers, { authorization: 'Bearer hmok_1', 'x-workspace-id': 'ws_1', 'user-agent': 'test' });
});

test('an empty response returns undefined', async (t) => {
  const { client } = await startTestServer(t, (_, response) => void response.writeHead(204).end());
  t.is(await client().delete('/webhook-config/{ch}', { params: { path: { ch: 'ch_1' } } }), undefined);
});

test('an error has code, message, request id and Retry-After', async (t) => {
  const body = { statusCode: 429, code: 'RATE_LIMITED', message: 'Too many', requestId: 'req_1' };
  const { client } = await startTestServer(t, (_, response) =>
    sendJson(response, { status: 429, body, headers: { 'x-request-id': 'req_1', 'retry-after': '7' } }),
  );
  const error = await t.throwsAsync(client().get('/auth/session'), { instanceOf: ApiError });
  t.like(error, {
    code: 'RATE_LIMITED',
    message: 'Too many',
    requestId: 'req_1',
    statusCode: 429,
    retryAfterSeconds: 7,
  });
});

test('an error of a proxy has the code UNKNOWN', async (t) => {
  const { client } = await startTestServer(
    t,
    (_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'),
  );
  const error = await t.throwsAsync(client().get('/auth/session'), { instanceOf: ApiError });
  t.like(error, { code: 'UNKNOWN', statusCode: 502, requestId: null, retryAfterSeconds: null });
});

test('a missing, truncated, late or malformed response throws NetworkError', async (t) => {
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1' });
  await t.throwsAsync(nobody.get('/auth/session'), {
    instanceOf: NetworkError,
    message: /^No response from http:\/\/127\.0\.0\.1:1 \(/,
  });
  const broken = await startTestServer(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"a":');
    setImmediate(() => request.socket.destroy());
  });
  await t.throwsAsync(broken.client().get('/auth/session'), { instanceOf: NetworkError, message: /could not be read/ });
  const silent = await startTestServer(t, () => undefined);
  await t.throwsAsync(silent.client({ timeoutMs: 50 }).get('/auth/session'), {
    instanceOf: NetworkError,
    message: /in time/,
  });
  const stalled = await startTestServer(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{');
  });
  await t.throwsAsync(stalled.client({ timeoutMs: 200 }).get('/auth/session'), {
    instanceOf: NetworkError,
    message: /in time/,
  });
  const other = await startTestServer(t, (_, response) => void response.writeHead(200).end('<html>'));
  await t.throwsAsync(other.client().get('/auth/session'), { instanceOf: NetworkError, message: /could not be read/ });
});

test('an abort by the caller is not a NetworkError', async (t) => {
  const { client } = await startTestServer(t, () => undefined);
  const stop = new AbortController();
  const asked = client().get('/auth/session', { signal: stop.signal });
  stop.abort();
  await t.throwsAsync(asked, { name: 'AbortError' });
});

test('pages of a list are fetched on demand', async (t) => {
  const pages = [
    { channels: [1, 2], nextCursor: 'a' },
    { channels: [3], nextCursor: 'b' },
    { channels: [], nextCursor: null },
  ];
  const { client, requests } = await startTestServer(t, (_, response, index) =>
    sendJson(response, { status: 200, body: pages[index] }),
  );
  const read = (cursor: string | undefined) =>
    client().get('/platform/channels', { params: { query: cursor ? { cursor } : {} } });
  const seen: unknown[] = [];
  for await (const one of records(read, ({ channels }) => channels)) seen.push(one);
  t.deepEqual(seen, [1, 2, 3]);
  t.deepEqual(requests.map(({ url }) => url), ['/platform/channels', '/platform/channels?cursor=a', '/platform/channels?cursor=b']); // prettier-ignore
});
