import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { securityHeaders } from '../../process/security-headers.ts';
import { platformRequestIdHeaders } from '../../platform/forwarding/gateway-headers.ts';
import { startStage, upstreamToken } from './stage.ts';

const page = '/platform/v25.0/1000';
const [, traceHeader] = platformRequestIdHeaders;
const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;

test('an error of the platform is forwarded unchanged', async (t) => {
  const text =
    '{"error":{"message":"(#100) No such user \\u00e9","type":"OAuthException","code":100,"fbtrace_id":"A"}}';
  const { call, recorded, state } = await startStage(t, {
    script: { 'POST /1000/messages': { status: 400, text, headers: { [platformRequestIdHeaders[0]]: 'R1' } } },
  });

  const answer = await call(`POST ${page}/messages`, { json: { recipient: { id: '1' } } });

  t.is(answer.status, 400);
  t.is(answer.text, text);
  t.deepEqual([recorded[0]?.status, recorded[0]?.error, recorded[0]?.platformRequestId], [400, '100', 'R1']);
  t.is(state.refusedReason, null);
});

test('only useful headers of the platform are forwarded', async (t) => {
  const headers = {
    'x-app-usage': '{"call_count":10}',
    'x-business-use-case-usage': '{"1":[]}',
    'x-page-usage': '{"call_count":1}',
    'retry-after': '7',
    [traceHeader]: 'T',
    'set-cookie': 'a=b',
    [`${traceHeader}-rev`]: '1',
    server: 'internal',
    'www-authenticate': 'OAuth "x"',
    location: 'https://elsewhere.example/',
    'x-powered-by': 'y',
  };
  const { call } = await startStage(t, { script: { 'GET /1000': { status: 429, headers, json: {} } } });

  const answer = await call(`GET ${page}`);

  const names = Object.keys(answer.headers)
    .filter((name) => !(name in securityHeaders))
    .sort();
  t.deepEqual(names, [
    ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive', 'retry-after'],
    ...['x-app-usage', 'x-business-use-case-usage', traceHeader, 'x-page-usage'],
    'x-request-id',
  ]);
});

test('links to further pages lead to the gateway without credentials', async (t) => {
  const stage = await startStage(t, {
    script: {
      'GET /1000/feed': ({ query }) => ({
        json: {
          data: [{ id: '1000_1' }],
          paging: {
            cursors: { after: 'QQ' },
            next: `https://graph.elsewhere.example/v25.0/1000/feed?access_token=${upstreamToken}&limit=1&after=QQ`,
            previous: `${stage.upstreamUrl}/v25.0/1000/feed?limit=1&before=QQ&access_token=${upstreamToken}&appsecret_proof=${query.get('appsecret_proof')}`,
          },
        },
      }),
    },
  });

  const answer = await stage.call(`GET ${page}/feed?limit=1`);

  t.like(answer.body['paging'], { previous: `${stage.url}${page}/feed?limit=1&before=QQ` });
  t.false(answer.text.includes(upstreamToken));
  t.false(answer.text.includes(stage.upstreamUrl));
  t.is((await stage.call(`GET ${page}/feed?limit=1&before=QQ`)).status, 200);
});

test('large numbers and escapes are forwarded byte for byte', async (t) => {
  const text = '{ "id": 12345678901234567890, "text": "caf\\u00e9 \\/ ok", "x": 1.50e2, "x": null }\n';
  const stage = await startStage(t, { script: { 'GET /1000': { text } } });

  t.is((await stage.call(`GET ${page}`)).text, text);
});

test('rewriting a string keeps all other bytes', async (t) => {
  const text = `{"id": 12345678901234567890, "note": "token ${upstreamToken}!", "n":[1.0, "\\u00e9"]}`;
  const stage = await startStage(t, { script: { 'GET /1000': { text } } });

  const answer = await stage.call(`GET ${page}`);

  t.is(answer.text, '{"id": 12345678901234567890, "note": "token [removed]!", "n":[1.0, "\\u00e9"]}');
});

for (const [name, text] of [
  [
    'plain',
    JSON.stringify({
      a: [`x${upstreamToken}`],
      access_token: 'OTHER-CANARY',
      n: { access_token: { b: 'OTHER-CANARY' } },
    }),
  ],
  [
    'escaped',
    `{"a":"${[...upstreamToken].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
  ],
  ['as a name', JSON.stringify({ [upstreamToken]: 1, 'access\u005ftoken': 'OTHER-CANARY' })],
  ['in an address elsewhere', JSON.stringify({ u: 'https://cdn.example/x?a=1&access_token=OTHER-CANARY&b=2' })],
  ['in what is no JSON', `<p>${upstreamToken} access_token=OTHER-CANARY`],
] as const) {
  for (const status of [200, 400]) {
    test(`a credential in a response (${name}, ${status}) is removed`, async (t) => {
      const headers = {
        'content-type': text.startsWith('<') ? 'text/html' : 'application/json',
        'x-app-usage': upstreamToken,
      };
      const { call, lines, recorded } = await startStage(t, { script: { 'GET /1000': { status, text, headers } } });

      const answer = await call(`GET ${page}`);

      t.is(answer.status, status);
      const everything = JSON.stringify([
        answer,
        JSON.parse(text.startsWith('{') ? answer.text : '0'),
        lines,
        recorded,
      ]);
      t.false(/CANARY/.test(everything), everything);
    });
  }
}

for (const type of ['application/x-www-form-urlencoded', 'application/x-unheard-of', 'odd']) {
  test(`a credential in a response of type ${type} is removed`, async (t) => {
    const text = `access_token=${upstreamToken}&expires=5&note=${upstreamToken}`;
    const { call } = await startStage(t, { script: { 'GET /1000': { text, headers: { 'content-type': type } } } });

    const answer = await call(`GET ${page}`);

    t.is(answer.text, 'access_token=[removed]&expires=5&note=[removed]');
    t.is(answer.headers['content-type'], type);
  });
}

test('a sealed address downloads a file for five minutes', async (t) => {
  const content = randomBytes(300_000);
  const stage = await startStage(t, {
    channel: number,
    script: {
      'GET /71': () => ({
        json: {
          id: '71',
          messaging_product: 'chatapp',
          mime_type: 'image/png',
          url: `${stage.upstreamUrl}/files/71?sig=SIG`,
        },
      }),
      'GET /files/71': ({ headers }) =>
        headers['authorization'] === `Bearer ${upstreamToken}`
          ? { text: content, headers: { 'content-type': 'image/png', 'set-cookie': 'a=b' } }
          : { status: 401 },
    },
  });

  const media = await stage.call('GET /platform/v22.0/71');
  const url = new URL(String(media.body['url']));
  const file = await fetch(url, { headers: { authorization: `Bearer hmat_${'t'.repeat(43)}` } });

  t.is(url.origin, stage.url);
  t.false(media.text.includes('SIG'));
  t.is(file.status, 200);
  t.is(file.headers.get('content-type'), 'image/png');
  t.is(file.headers.get('set-cookie'), null);
  t.deepEqual(Buffer.from(await file.arrayBuffer()), content);
  t.is((await stage.call(`GET ${url.pathname}`, { token: null })).status, 401);
  t.is((await stage.call(`GET ${url.pathname.slice(0, -20)}${'A'.repeat(20)}`)).body['code'], 'PAGEAPP_SCOPE_DENIED');
  t.is((await stage.call(`POST ${url.pathname}`)).status, 405);
});

for (const { bytes, status } of [
  { bytes: 1_000, status: 200 },
  { bytes: 1_001, status: 413 },
]) {
  test(`a file of ${bytes} bytes returns ${status} if 1000 are allowed`, async (t) => {
    const stage = await startStage(t, {
      channel: number,
      limits: { fileBytes: 1_000 },
      script: {
        'GET /71': () => ({
          json: { id: '71', messaging_product: 'chatapp', mime_type: 'a/b', url: `${stage.upstreamUrl}/files/71` },
        }),
        'GET /files/71': { text: Buffer.alloc(bytes), headers: { 'content-length': String(bytes) } },
      },
    });
    const { pathname } = new URL(String((await stage.call('GET /platform/v22.0/71')).body['url']));
    t.is((await stage.call(`GET ${pathname}`)).status, status);
  });
}

test('a sealed address works only for its channel', async (t) => {
  const stage = await startStage(t, {
    channel: number,
    script: {
      'GET /71': () => ({
        json: { id: '71', messaging_product: 'chatapp', mime_type: 'a/b', url: `${stage.upstreamUrl}/files/71` },
      }),
    },
  });
  const other = await startStage(t, { channel: { ...number, channelPublicId: 'ch_00000008' } });

  const { pathname } = new URL(String((await stage.call('GET /platform/v22.0/71')).body['url']));

  t.is((await other.call(`GET ${pathname}`)).status, 403);
});

test('a reel is uploaded to its sealed address with the credential', async (t) => {
  const content = randomBytes(200_000);
  const stage = await startStage(t, {
    script: {
      'POST /1000/video_reels': () => ({
        json: { video_id: '33', upload_url: `${stage.upstreamUrl}/video-upload/33` },
      }),
      'POST /video-upload/33': { json: { success: true } },
    },
  });
  const start = await stage.call(`POST ${page}/video_reels`, { json: { upload_phase: 'start' } });
  const { pathname, origin } = new URL(String(start.body['upload_url']));

  const upload = await stage.call(`POST ${pathname}`, {
    token: null,
    body: content,
    headers: {
      authorization: `OAuth hmat_${'t'.repeat(43)}`,
      offset: '0',
      file_size: String(content.length),
      'content-type': 'application/octet-stream',
    },
  });

  t.is(origin, stage.url);
  t.is(upload.status, 200, upload.text);
  const seen = stage.seen.at(-1);
  t.is(seen?.headers['authorization'], `OAuth ${upstreamToken}`);
  t.deepEqual([seen?.headers['offset'], seen?.headers['file_size']], ['0', '200000']);
  t.is(seen?.headers['content-length'], '200000');
});

test('a compressed response is PLATFORM_UNAVAILABLE', async (t) => {
  const { call, recorded } = await startStage(t, {
    script: { 'GET /1000': { text: gzipSync('{"id":"1000"}'), headers: { 'content-encoding': 'gzip' } } },
  });

  const answer = await call(`GET ${page}`);

  t.deepEqual([answer.status, answer.body['code']], [503, 'PLATFORM_UNAVAILABLE'], answer.text);
  t.like(recorded, [{ error: 'unreadable' }]);
});

test('a response that is too large is PLATFORM_UNAVAILABLE', async (t) => {
  const { call } = await startStage(t, {
    limits: { answerBytes: 1000 },
    script: {
      'GET /1000': { json: { text: 'x'.repeat(2000) } },
    },
  });

  t.is((await call(`GET ${page}`)).body['code'], 'PLATFORM_UNAVAILABLE');
});

test('a call has one log line without query, body and credentials', async (t) => {
  const { call, lines } = await startStage(t, { script: { 'POST /1000/feed': { json: { id: '1000_5' } } } });

  await call(`POST ${page}/feed?published=QUERY-CANARY`, { json: { message: 'BODY-CANARY' } });

  t.is(lines.length, 1);
  const { requestId: _id, durationMs: _ms, ...line } = lines[0]!;
  t.deepEqual(line, {
    level: 'info',
    event: 'gateway.forwarded',
    method: 'POST',
    status: 200,
    completed: true,
    channelId: 'ch_00000007',
    path: '{id}/feed',
    platformStatus: 200,
  });
});

test('the log line of a refusal says what it means', async (t) => {
  const error = { message: 'Limit', code: 131056, error_subcode: 7 };
  const { call, lines } = await startStage(t, { script: { 'POST /1000/feed': { status: 400, json: { error } } } });
  await call(`POST ${page}/feed`, { json: { message: 'Hello' } });
  t.like(lines[0], { platformCode: '131056/7', refusal: 'RECIPIENT_RATE_LIMITED', mayBeDone: false });
});

test('health checks need no credential', async (t) => {
  const { call } = await startStage(t);

  t.is((await call('GET /healthz', { token: null })).status, 200);
  t.is((await call('GET /readyz', { token: null })).status, 200);
  t.is((await call('GET /elsewhere', { token: null })).body['code'], 'ROUTE_NOT_FOUND');
});
