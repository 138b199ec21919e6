import test from 'ava';
import { securityHeaders } from '../../process/security-headers.ts';
import { rawConnection, statusesIn } from '../harness/connections/raw-connection.ts';
import { until } from '../harness/until.ts';
import { channelToken, type RawScript, startStage } from './stage.ts';

const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
const token = `authorization: Bearer ${channelToken}\r\n`;
const formType = 'content-type: multipart/form-data; boundary=XX\r\n';
const formHead = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
const formStart = `${formHead.length.toString(16)}\r\n${formHead}\r\n`;

const namelessHead = '--XX\r\nContent-Disposition: form-data; filename="a"\r\n\r\n';
const nameless = `${namelessHead.length.toString(16)}\r\n${namelessHead}\r\n`;

/** Requests with an endless body: reason, path, headers, beginning of the body, status. */
const requests = [
  ['no token', '/platform/v22.0/3000/messages', '', '', 401],
  ['an unknown route', '/nowhere', '', '', 404],
  ['another type', '/platform/v22.0/3000/messages', `${token}content-type: text/plain\r\n`, '', 415],
  ['parameters that are too large', '/platform/v22.0/3000/messages', `${token}content-type: application/json\r\n`, '', 413],
  ['a malformed form', '/platform/v22.0/3000/media', `${token}${formType}`, nameless, 400],
  ['a file that is too large', '/platform/v22.0/3000/media', `${token}${formType}`, formStart, 413],
] as const; // prettier-ignore

const reading: RawScript = (request, response) => {
  request.on('error', () => undefined).resume();
  request.on('end', () => response.end('{}'));
};

for (const [what, path, headers, start, status] of requests) {
  test(`the gateway closes the connection of a request with ${what}`, async (t) => {
    const limits = { bodyBytes: 1024 * 1024, parameterBytes: 200_000 };
    const { url } = await startStage(t, { channel: number, script: reading, limits });
    const { socket, write, ended } = await rawConnection(t, url);

    write(`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${headers}\r\n${start}`);
    const sending = setInterval(() => socket.writableNeedDrain || write(chunk), 1);
    t.teardown(() => clearInterval(sending));
    const text = await ended();

    t.deepEqual(statusesIn(text), [status], text);
    t.regex(text, /^connection: close\r$/im);
  });
}

test('an early platform response closes the upload connection', async (t) => {
  const { url } = await startStage(t, {
    channel: number,
    script: (request, response) => {
      request.on('error', () => undefined);
      request.once('data', () => {
        request.pause();
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"code":100}}');
      });
    },
  });
  const { write, ended } = await rawConnection(t, url);
  const head = 'POST /platform/v22.0/3000/media HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n';

  write(`${head}${token}${formType}\r\n${formStart}${chunk}`);
  const text = await ended();

  t.deepEqual(statusesIn(text), [400]);
  t.regex(text, /^connection: close\r$/im);
});

test('a truncated upload is not a gateway error', async (t) => {
  const { url, lines } = await startStage(t, { channel: number, script: reading });
  for (const [path, type] of [
    ['messages', 'content-type: application/json\r\n'],
    ['media', formType],
  ] as const) {
    const { write, socket } = await rawConnection(t, url);
    const head = `POST /platform/v22.0/3000/${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n`;
    write(`${head}${token}${type}\r\n${formHead}`);
    const before = lines.length;
    setImmediate(() => socket.destroy());
    await until(() => lines.slice(before).some(({ event }) => event === 'gateway.forwarded'), { for: 'The log line' });
  }
  t.deepEqual(
    lines.filter(({ level }) => level !== 'info' && level !== 'debug'),
    [],
  );
});

test('all responses of the gateway have security headers', async (t) => {
  const { call } = await startStage(t, {
    channel: number,
    script: {
      'GET /3000': { json: { id: '3000' }, headers: { 'content-security-policy': "default-src 'self'" } },
    },
  });
  for (const route of ['GET /platform/v22.0/3000', 'GET /platform/v22.0/9', 'GET /nowhere', 'GET /healthz']) {
    t.like((await call(route)).headers, securityHeaders, route);
  }
});
