import test from 'ava';
import { fieldsOf } from '../harness/fields-of.ts';
import { channelToken, refusedCall, startStage, upstreamToken } from './stage.ts';

const sent = { recipient_id: '5', message_id: 'm_1' };
const script = { 'POST /1000/messages': { json: sent } };
const message = { json: { recipient: { id: '5' }, message: { text: 'Hello' } } };
const route = 'POST /platform/v25.0/1000/messages';

test('the upstream credential replaces the channel token', async (t) => {
  const { call, seen, recorded } = await startStage(t, { script });

  const answer = await call(route, { ...message, headers: { 'x-request-id': 'my-own.id_1' } });

  t.is(answer.status, 200);
  t.deepEqual(answer.body, sent);
  t.is(answer.headers['x-request-id'], 'my-own.id_1');
  const [request] = seen;
  t.is(request?.path, '/v25.0/1000/messages');
  t.is(request?.headers['authorization'], `Bearer ${upstreamToken}`);
  t.regex(request?.query.get('appsecret_proof') ?? '', /^[0-9a-f]{64}$/);
  t.is(request?.body, JSON.stringify(message.json));
  const { startedAt: _at, durationMs: _duration, requestId, ...call1 } = recorded[0]!;
  t.regex(requestId, /^req_[\w-]{16}$/);
  t.deepEqual(call1, {
    channelId: 7,
    workspaceId: 3,
    via: 'gateway',
    caller: channelToken.slice(0, 14),
    operation: null,
    method: 'POST',
    path: '1000/messages',
    status: 200,
    error: null,
    callerRequestId: 'my-own.id_1',
    platformRequestId: null,
  });
});

for (const [name, options, code] of [
  ['no Authorization header', { token: null }, 'MISSING_BEARER'],
  ['another scheme', { token: null, headers: { authorization: 'Basic eDp5' } }, 'MISSING_BEARER'],
  ['an API key', { token: 'hmok_abc' }, 'CREDENTIAL_NOT_ACCEPTED_HERE'],
  ["the platform's own token", { token: upstreamToken }, 'CREDENTIAL_NOT_ACCEPTED_HERE'],
  ['an unknown channel token', { token: `hmat_${'x'.repeat(43)}` }, 'AUTH_REQUIRED'],
] as const) {
  test(`${name} is refused with ${code} without a platform call`, async (t) => {
    const { call, seen } = await startStage(t, { script });

    const answer = await call(route, { ...message, ...options });

    t.is(answer.status, 401);
    const { message: text, error: _error, ...rest } = answer.body;
    t.deepEqual(rest, { statusCode: 401, code, requestId: answer.headers['x-request-id'] });
    t.is(typeof text, 'string');
    const metadata = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"';
    if (code === 'AUTH_REQUIRED') t.true(String(answer.headers['www-authenticate']).endsWith(metadata));
    t.is(seen.length, 0);
  });
}

const credentials = [
  'access_token=hmat_x',
  'Access%5Ftoken=x',
  'access.token=x',
  'access_token[]=x',
  'appsecret_proof=1',
];
for (const query of credentials) {
  test(`a credential in the query (${query}) is refused`, async (t) => {
    const codes = ['MISSING_BEARER'];
    const { status } = await refusedCall(t, `${route}?${query}`, { codes, options: message, stage: { script } });
    t.is(status, 401);
  });
}

test('a credential in a body is refused', async (t) => {
  for (const [body, type] of [
    ['{"access\\u005ftoken":"x"}', 'application/json'],
    ['message=a&access_token=x', 'application/x-www-form-urlencoded'],
  ] as const) {
    const options = { body, headers: { 'content-type': type } };
    await refusedCall(t, route, { codes: ['MISSING_BEARER'], options, stage: { script } });
  }
});

test('a revoked token stops working with the next call', async (t) => {
  const { call, state } = await startStage(t, { script });

  const before = await call(route, message);
  state.isRevoked = true;
  const after = await call(route, message);

  t.deepEqual([before.status, after.status], [200, 401]);
});

test('a disconnected channel returns CHANNEL_DISCONNECTED', async (t) => {
  const { call, state } = await startStage(t, { script });
  state.isDisconnected = true;

  const answer = await call(route, message);

  t.is(answer.status, 409);
  t.is(answer.body['code'], 'CHANNEL_DISCONNECTED');
});

for (const [code, subcode] of [
  [190, 463],
  [190, undefined],
  [102, undefined],
] as const) {
  test(`the platform's code ${code} with subcode ${subcode} refuses further calls`, async (t) => {
    const refusal = { error: { message: 'Session has expired', type: 'OAuthException', code, error_subcode: subcode } };
    const { call, state, seen, recorded } = await startStage(t, {
      script: { 'POST /1000/messages': { status: 401, json: refusal } },
    });

    const answer = await call(route, message);

    t.is(answer.status, 401);
    t.deepEqual(answer.body, JSON.parse(JSON.stringify(refusal)));
    t.regex(state.refusedReason ?? '', new RegExp(`code ${code}.*Connect the account again`));
    const next = await call(route, message);
    t.is(next.status, 409);
    t.like(next.body, { code: 'CREDENTIAL_REFUSED', message: state.refusedReason });
    t.is(seen.length, 1);
    t.is(recorded[0]?.error, subcode === undefined ? String(code) : `${code}/${subcode}`);
  });
}

test('identifying headers of the caller are not forwarded', async (t) => {
  const { call, seen } = await startStage(t, { script });

  await call(route, {
    ...message,
    headers: {
      cookie: 'a=b',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=1.2.3.4',
      'x-api-key': 'hmok_x',
      'proxy-authorization': 'Basic x',
      te: 'trailers',
      'x-custom': 'y',
      accept: 'application/json',
    },
  });

  const names = Object.keys(seen[0]?.headers ?? {}).sort();
  t.deepEqual(names, [
    'accept',
    'accept-encoding',
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'host',
  ]);
});

test('a call over the rate of its token gets Retry-After', async (t) => {
  const { call, seen } = await startStage(t, { script, limits: { callsPerMinute: 2 } });

  const answers = [await call(route, message), await call(route, message), await call(route, message)];

  t.deepEqual(fieldsOf(answers, 'status'), [200, 200, 429]);
  t.is(answers[2]?.body['code'], 'RATE_LIMITED');
  t.true(Number(answers[2]?.headers['retry-after']) > 0);
  t.is(seen.length, 2);
});

test('many invalid tokens from one address are refused', async (t) => {
  const { call } = await startStage(t, { script, limits: { failuresPerMinute: 2 } });
  const wrong = { token: `hmat_${'x'.repeat(43)}` };

  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await call(route, wrong)).status);

  t.deepEqual(statuses, [401, 401, 429]);
  t.is((await call(route, message)).status, 200);
});

test("a key's token is refused from addresses that the key excludes", async (t) => {
  const elsewhere = await startStage(t, { script, allowedCidrs: ['192.0.2.0/24'] });
  t.like((await elsewhere.call(route, message)).body, { statusCode: 403, code: 'ADDRESS_NOT_ALLOWED' });
  t.is(elsewhere.seen.length, 0);
  const here = await startStage(t, { script, allowedCidrs: ['192.0.2.0/24', '127.0.0.0/8'] });
  t.is((await here.call(route, message)).status, 200);
});
