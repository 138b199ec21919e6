import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createConnection } from 'node:net';
import test from 'ava';
import { upstreamChatappWord } from '../../platform/client/chatapp-word.ts';
import { withLongerLimits } from '../harness/time/longer-limits.ts';
import { until } from '../harness/until.ts';
import { channelToken, type RawScript, startStage } from './stage.ts';

const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
const mediaRoute = '/platform/v22.0/3000/media';
const messagesRoute = 'POST /platform/v22.0/3000/messages';
const multipart = { 'content-type': 'multipart/form-data; boundary=XX' };

function formWith(fields: Readonly<Record<string, string>>, file = 'content'): string {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png';
  return `${texts.join('')}--XX\r\n${head}\r\n\r\n${file}\r\n--XX--\r\n`;
}

test('a file is streamed to the caller', async (t) => {
  let received = 0;
  let isEnded = false;
  const { url } = await startStage(t, {
    channel: number,
    script: (request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      request.on('end', () => {
        isEnded = true;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"71"}');
      });
    },
  });
  const request = httpRequest(url + mediaRoute, {
    method: 'POST',
    headers: { ...multipart, authorization: `Bearer ${channelToken}` },
  });
  const form = formWith({ messaging_product: upstreamChatappWord }, 'x'.repeat(1_000_000));

  request.write(form.slice(0, 600_000));
  await until(() => received > 300_000, { for: 'The first part at the platform' });
  t.false(isEnded);
  request.end(form.slice(600_000));
  const [response] = await once(request, 'response');

  t.is(response.statusCode, 200);
  t.is(received, form.length);
  response.resume();
});

test('only file edges accept files', async (t) => {
  const { call } = await startStage(t, { channel: number });

  const answer = await call(messagesRoute, { body: formWith({}), headers: multipart });

  t.is(answer.status, 415);
});

test('bodies over their limits are refused with and without Content-Length', async (t) => {
  const { call, seen } = await startStage(t, { channel: number, limits: { bodyBytes: 1000, parameterBytes: 500 } });
  const chunked = { ...multipart, 'transfer-encoding': 'chunked' };

  const answers = [
    await call(messagesRoute, { json: { text: 'x'.repeat(600) } }),
    await call(`POST ${mediaRoute}`, { body: formWith({}, 'x'.repeat(2000)), headers: multipart }),
    await call(`POST ${mediaRoute}`, { body: formWith({}, 'x'.repeat(2000)), headers: chunked }),
  ];

  t.deepEqual(
    answers.map(({ body }) => body['code']),
    ['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE'],
  );
  t.is(seen.length, 0);
});

test('other media types, other charsets and malformed JSON are refused', async (t) => {
  const { call, seen } = await startStage(t, { channel: number });
  const codes = [];
  for (const [type, body] of [
    ['text/plain', '{}'],
    ['application/json; charset=utf-16', '{}'],
    ['application/json', '{"a":'],
    ['application/json', '{"a":1}{"b":2}'],
  ] as const) {
    codes.push((await call(messagesRoute, { body, headers: { 'content-type': type } })).body['code']);
  }

  t.deepEqual(codes, ['UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE', 'MALFORMED_JSON', 'MALFORMED_JSON']);
  t.is(seen.length, 0);
});

const dropped: RawScript = (request) => void request.resume().on('end', () => request.socket.destroy());
const halfAnswered: RawScript = (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
  response.write('{"id":', () => response.destroy());
};
const silent: RawScript = (request) => void request.resume();

for (const [what, script, limitsMs] of [
  ['drops the connection', dropped, [60_000]],
  ['truncates its response', halfAnswered, [60_000]],
  ['does not answer in time', silent, undefined],
] as const) {
  test(`a send has an unknown outcome if the platform ${what}`, async (t) => {
    const act = async (callMs: number) => {
      let count = 0;
      const counted: RawScript = (request, response) => {
        count++;
        script(request, response);
      };
      const { call, recorded } = await startStage(t, { channel: number, script: counted, limits: { callMs } });
      const sent = await call(messagesRoute, { json: { to: '1' } });
      const read = await call('GET /platform/v22.0/3000');
      return { count, recorded, sent, read };
    };

    const isTooEarly = ({ count }: { readonly count: number }): boolean => count < 2;
    const { count, recorded, sent, read } = await withLongerLimits(act, { isTooEarly, ...(limitsMs && { limitsMs }) });

    t.deepEqual([sent.status, sent.body['code']], [504, 'PLATFORM_OUTCOME_UNKNOWN']);
    t.deepEqual([read.status, read.body['code']], [503, 'PLATFORM_UNAVAILABLE']);
    t.is(count, 2);
    t.is(recorded.length, 2);
    t.true(recorded.every(({ error }) => error !== null));
  });
}

test('an unreachable platform is PLATFORM_UNAVAILABLE', async (t) => {
  const { url, call } = await startStage(t, { channel: number });
  t.truthy(url);
  const away = await startStage(t, { channel: number, apiUrl: 'http://127.0.0.1:1' });

  const answer = await away.call(messagesRoute, { json: { to: '1' } });

  t.deepEqual([answer.status, answer.body['code']], [503, 'PLATFORM_UNAVAILABLE']);
  t.is(away.recorded[0]?.status, null);
  t.is((await call(messagesRoute, { json: { to: '1' } })).status, 400);
});

test('a disconnecting caller aborts the platform call', async (t) => {
  let isArrived = false;
  let isGone = false;
  const { url, recorded } = await startStage(t, {
    channel: number,
    script: (request, response) => {
      isArrived = true;
      request.resume();
      response.on('close', () => (isGone = true));
    },
  });
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.write(
    `POST /platform/v22.0/3000/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${channelToken}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"to":"1"}',
  );
  await until(() => isArrived, { for: 'The call at the platform' });
  socket.destroy();
  await until(() => isGone, { for: 'The end of the call at the platform' });
  await until(() => recorded.length === 1, { for: 'The record' });

  t.is(recorded[0]?.error, 'caller_gone');
});

test('concurrent calls over the channel limit are refused', async (t) => {
  let arrived = 0;
  const answers: (() => void)[] = [];
  const { call } = await startStage(t, {
    channel: number,
    limits: { callsUnderWay: 2 },
    script: (request, response) => {
      arrived++;
      request.resume();
      answers.push(() => response.end('{}'));
    },
  });
  const first = [1, 2].map(() => call(messagesRoute, { json: { to: '1' } }));
  await until(() => arrived === 2, { for: 'Two calls at the platform' });

  const third = await call(messagesRoute, { json: { to: '1' } });
  for (const answer of answers) answer();
  await Promise.all(first);
  const fourth = call(messagesRoute, { json: { to: '1' } });
  await until(() => arrived === 3, { for: 'The next call at the platform' });
  answers.at(-1)?.();

  t.is(third.body['code'], 'RATE_LIMITED');
  t.is((await fourth).status, 200);
});

test('stop waits for open calls', async (t) => {
  let answer: (() => void) | undefined;
  const stage = await startStage(t, {
    channel: number,
    script: (request, response) => {
      request.resume();
      answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    },
  });
  const call = stage.call(messagesRoute, { json: { to: '1' } });
  await until(() => answer !== undefined, { for: 'The call at the platform' });

  const stopped = stage.stopGateway({ graceMs: 600_000 });
  answer?.();

  t.is((await call).status, 200);
  await stopped;
});
