import test from 'ava';
import { createClient } from '../../client/create-client.ts';
import { ApiError, NetworkError } from '../../client/errors.ts';
import { records } from '../../client/pages.ts';
import { farSide, sendJson } from './far-side.ts';

test('a request carries credential, workspace and what the route takes, and answers with the body', async (t) => {
  const { client, requests } = await farSide(t, (_, response) =>
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

test('an answer without a body is none', async (t) => {
  const { client } = await farSide(t, (_, response) => void response.writeHead(204).end());
  t.is(await client().delete('/webhook-config/{ch}', { params: { path: { ch: 'ch_1' } } }), undefined);
});

test('a refusal has the code, the words, the request id and how long to wait', async (t) => {
  const body = { statusCode: 429, code: 'RATE_LIMITED', message: 'Too many', requestId: 'req_1' };
  const { client } = await farSide(t, (_, response) =>
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

test('a refusal by something between is one of an unknown code', async (t) => {
  const { client } = await farSide(t, (_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'));
  const error = await t.throwsAsync(client().get('/auth/session'), { instanceOf: ApiError });
  t.like(error, { code: 'UNKNOWN', statusCode: 502, requestId: null, retryAfterSeconds: null });
});

test('no answer, one that breaks off, one that never comes and one that is no JSON are errors of the network', async (t) => {
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1' });
  await t.throwsAsync(nobody.get('/auth/session'), {
    instanceOf: NetworkError,
    message: /^No response from http:\/\/127\.0\.0\.1:1 \(/,
  });
  const broken = await farSide(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"a":');
    setImmediate(() => request.socket.destroy());
  });
  await t.throwsAsync(broken.client().get('/auth/session'), { instanceOf: NetworkError, message: /could not be read/ });
  const silent = await farSide(t, () => undefined);
  await t.throwsAsync(silent.client({ timeoutMs: 50 }).get('/auth/session'), {
    instanceOf: NetworkError,
    message: /in time/,
  });
  const stalled = await farSide(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{');
  });
  await t.throwsAsync(stalled.client({ timeoutMs: 200 }).get('/auth/session'), {
    instanceOf: NetworkError,
    message: /in time/,
  });
  const other = await farSide(t, (_, response) => void response.writeHead(200).end('<html>'));
  await t.throwsAsync(other.client().get('/auth/session'), { instanceOf: NetworkError, message: /could not be read/ });
});

test("the caller's own wish to stop is no error of the network", async (t) => {
  const { client } = await farSide(t, () => undefined);
  const stop = new AbortController();
  const asked = client().get('/auth/session', { signal: stop.signal });
  stop.abort();
  await t.throwsAsync(asked, { name: 'AbortError' });
});

test('a list is read page after page, as long as somebody asks', async (t) => {
  const pages = [
    { channels: [1, 2], nextCursor: 'a' },
    { channels: [3], nextCursor: 'b' },
    { channels: [], nextCursor: null },
  ];
  const { client, requests } = await farSide(t, (_, response, index) =>
    sendJson(response, { status: 200, body: pages[index] }),
  );
  const read = (cursor: string | undefined) =>
    client().get('/platform/channels', { params: { query: cursor ? { cursor } : {} } });
  const seen: unknown[] = [];
  for await (const one of records(read, ({ channels }) => channels)) seen.push(one);
  t.deepEqual(seen, [1, 2, 3]);
  t.deepEqual(requests.map(({ url }) => url), ['/platform/channels', '/platform/channels?cursor=a', '/platform/channels?cursor=b']); // prettier-ignore
});
