import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createApiServer } from '../../api/requests/api-server.ts';
import { createHttpServer, type HttpServer, type UnreadableRequest } from '../../process/http-server.ts';
import { createLog } from '../../process/log.ts';
import { startStage } from '../gateway/stage.ts';
import { listening } from '../harness/connections/listening.ts';

const taking: RequestListener = (_request, response) => void response.end('taken');

async function aServer(t: ExecutionContext, options: Partial<HttpServer> = {}) {
  const refused: UnreadableRequest[] = [];
  const onUnreadable = (each: UnreadableRequest) => void refused.push(each);
  const server = createHttpServer({ listener: taking, onUnreadable, ...options });
  const { port } = await listening(t, server);
  return { port, refused };
}

async function responseTo(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes, 'latin1');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Returns the rejection's request id. */
function isRejection(t: ExecutionContext, text: string, [status, code]: readonly [number, string]): string {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  t.regex(statusLine, new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
  const { message, requestId, ...rest } = JSON.parse(body);
  t.deepEqual(rest, { statusCode: status, code });
  t.true(message.length > 10);
  t.is(headers.get('x-request-id'), requestId);
  t.is(headers.get('content-length'), String(body.length));
  t.regex(headers.get('content-type') ?? '', /^application\/json/);
  t.is(headers.get('connection'), 'close');
  return requestId;
}

const unreadable = [
  ['what is no HTTP', 'this is not HTTP\r\n\r\n', [400, 'VALIDATION_ERROR']],
  ['a header with a control character', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\u0001b\r\n\r\n', [400, 'VALIDATION_ERROR']],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', [400, 'VALIDATION_ERROR']],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', [400, 'VALIDATION_ERROR']],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, [431, 'HEADERS_TOO_LARGE']],
] as const; // prettier-ignore

for (const [name, bytes, expected] of unreadable) {
  test(`${name} is rejected with the Error object and logged`, async (t) => {
    const { port, refused } = await aServer(t);
    const requestId = isRejection(t, await responseTo(port, bytes), expected);
    t.regex(requestId, /^req_[\w-]{16}$/);
    t.like(refused, [{ requestId, code: expected[1] }]);
  });
}

test('a rejected client that still sends receives the response', async (t) => {
  const { port, refused } = await aServer(t);
  const endless = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(4 * 1024 * 1024)}\r\n\r\n`;
  isRejection(t, await responseTo(port, endless), [431, 'HEADERS_TOO_LARGE']);
  t.is(refused.length, 1);
});

test('late headers are rejected', async (t) => {
  const { port, refused } = await aServer(t, { headersTimeout: 100, connectionsCheckingInterval: 50 });
  const requestId = isRejection(t, await responseTo(port, 'GET / HTTP/1.1\r\nHost: a\r\n'), [408, 'REQUEST_TIMEOUT']);
  t.deepEqual(refused, [
    { requestId, callerRequestId: null, code: 'REQUEST_TIMEOUT', reason: 'ERR_HTTP_REQUEST_TIMEOUT' },
  ]);
});

test('a malformed body is rejected with the id of its request', async (t) => {
  const { port } = await aServer(t, { listener: (request) => void request.resume().on('error', () => undefined) });
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\n';
  t.is(isRejection(t, await responseTo(port, `${head}no length\r\n`), [400, 'VALIDATION_ERROR']), 'mine');
});

test('a request without a host keeps its request id', async (t) => {
  const { port } = await aServer(t);
  const text = await responseTo(port, 'GET / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n');
  t.is(isRejection(t, text, [400, 'VALIDATION_ERROR']), 'mine');
});

test('garbage after a response gets its own response', async (t) => {
  const { port } = await aServer(t);
  const [taken, rejection = ''] = (await responseTo(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n\u0001\u0002')).split(
    'taken',
  );
  t.regex(taken ?? '', /^HTTP\/1\.1 200/);
  isRejection(t, rejection, [400, 'VALIDATION_ERROR']);
});

for (const [name, between] of [
  ['in the midst of an answer', ''],
  ['after a request that waits for the answer to another', 'GET /quick HTTP/1.1\r\nHost: a\r\n\r\n'],
] as const) {
  test(`garbage ${name} closes the connection without a response`, async (t) => {
    const listener: RequestListener = ({ url }, response) =>
      url === '/quick' ? void response.end('quick') : void response.write('begun');
    const { port, refused } = await aServer(t, { listener });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // a reset is acceptable
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith('begun\r\n')) socket.write(`${between}\u0001\u0002`);
    });
    await once(socket, 'close');
    t.is(text.match(/HTTP\/1\.1/g)?.length, 1);
    t.deepEqual(refused, []);
  });
}

test('clients without a host or with an unknown expectation are served', async (t) => {
  const { port, refused } = await aServer(t);
  t.regex(await responseTo(port, 'GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200[^]*taken$/);
  const expecting = 'GET / HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n';
  t.regex(await responseTo(port, expecting), /^HTTP\/1\.1 200[^]*taken/);
  t.deepEqual(refused, []);
});

test('the API and the gateway reject in the same way', async (t) => {
  const log = createLog({ name: 'test', level: 'silent' });
  const { port: api } = await listening(t, createApiServer({ listener: taking, log }));
  const gateway = await startStage(t);
  const large = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`;
  for (const port of [api, Number(new URL(gateway.url).port)]) {
    isRejection(t, await responseTo(port, 'garbage\r\n\r\n'), [400, 'VALIDATION_ERROR']);
    isRejection(t, await responseTo(port, large), [431, 'HEADERS_TOO_LARGE']);
  }
  t.like(
    gateway.lines.filter(({ event }) => event === 'request.rejected'),
    [
      { level: 'info', code: 'VALIDATION_ERROR' },
      { code: 'HEADERS_TOO_LARGE', reason: 'HPE_HEADER_OVERFLOW' },
    ],
  );
});
