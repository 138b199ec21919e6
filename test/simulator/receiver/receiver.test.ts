import { createHash, createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Sent {
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function receiverFor(t: ExecutionContext) {
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, sent: Sent = {}) => {
    const { statusCode, body, headers } = await request(receiver.url + path, { method, ...sent });
    return { status: statusCode, body: await body.text(), headers };
  };
  const control = (name: string, script: unknown) =>
    call('PUT', `/control/webhooks/${name}`, { body: JSON.stringify(script) });
  return { ...receiver, call, control };
}

function signed(body: string, { key = secret, atMs = Date.now() } = {}): Record<string, string> {
  const at = new Date(atMs);
  return {
    'x-service-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
    'webhook-id': 'wd_00000001',
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': new Webhook(key).sign('wd_00000001', at, body),
  };
}

test('the GET probe returns the verify token, the empty POST 200', async (t) => {
  const { call, control, webhook } = await receiverFor(t);
  await control('a', { verifyToken: 'sesame' });

  const get = await call('GET', '/webhook/a?hub.mode=subscribe&hub.verify_token=sesame&hub.challenge=sesame');
  const post = await call('POST', '/webhook/a', {
    headers: { 'x-service-probe': 'webhook-verification' },
  });

  t.like(get, { status: 200, body: 'sesame' });
  t.is(post.status, 200);
  t.deepEqual(webhook('a').log.counts, { count: 2, deliveryCount: 0, probeCount: 2 });
});

test('a webhook without a verify token fails its probe', async (t) => {
  const { call } = await receiverFor(t);
  t.is((await call('GET', '/webhook/a')).status, 403);
});

test('scripted answers to probes apply until they are null', async (t) => {
  const { call, control } = await receiverFor(t);
  await control('a', { verifyToken: 'sesame', probe: { get: { body: 'open', status: 201 }, post: { status: 500 } } });
  t.like(await call('GET', '/webhook/a'), { status: 201, body: 'open' });
  t.is((await call('POST', '/webhook/a')).status, 500);

  await control('a', { probe: null });
  t.like(await call('GET', '/webhook/a'), { status: 200, body: 'sesame' });
});

test('each delivery uses one answer, and `then` applies afterwards', async (t) => {
  const { call, control, requests } = await receiverFor(t);
  const answers = [{ status: 503, headers: { 'retry-after': '7' }, body: 'busy' }, { status: 410 }];
  await control('a', { verifyToken: 'v', answers, then: { status: 202 } });

  await call('GET', '/webhook/a');
  const first = await call('POST', '/webhook/a', { body: '{}' });
  t.like(first, { status: 503, body: 'busy' });
  t.is(first.headers['retry-after'], '7');
  t.is((await call('POST', '/webhook/a/deeper', { body: '{}' })).status, 410);
  t.is((await call('POST', '/webhook/a', { body: '{}' })).status, 202);
  t.is((await call('POST', '/webhook/a', { body: '{}' })).status, 202);
  t.deepEqual(
    requests('a').map(({ answeredStatus }) => answeredStatus),
    [200, 503, 410, 202, 202],
  );
  t.is(requests('a')[2]?.path, '/webhook/a/deeper');
});

test('requests are kept with their exact bytes and digest', async (t) => {
  const { call } = await receiverFor(t);
  const body = '{"a":12345678901234567890,"a":"\\u00e9 🙂"}';
  await call('POST', '/webhook/a', { body, headers: { 'x-own': 'yes' } });

  const { requests } = JSON.parse((await call('GET', '/control/webhooks/a/requests')).body);
  t.like(requests[0], { number: 1, method: 'POST', path: '/webhook/a', headers: { 'x-own': 'yes' } });
  t.is(Buffer.from(requests[0].bodyBase64, 'base64').toString(), body);
  t.is(requests[0].sha256, createHash('sha256').update(body).digest('hex'));
});

test('both signatures are checked over the raw bytes', async (t) => {
  const { call, control, requests } = await receiverFor(t);
  await control('a', { secret });
  const body = '{"b": "ü"}';
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const own = signed(body);
  const foreign = signed(body, { key: other });
  const both = (name: string, separator: string) => ({ [name]: `${foreign[name]}${separator}${own[name]}` });
  const rotating = { ...own, ...both('x-service-signature-256', ','), ...both('webhook-signature', ' ') };

  for (const headers of [own, rotating, foreign, {}]) await call('POST', '/webhook/a', { body, headers });
  await call('POST', '/webhook/a', { body: '{"b":"ü"}', headers: own });
  await call('POST', '/webhook/a', { body, headers: signed(body, { atMs: Date.now() - 301_000 }) });

  const verdicts = requests('a').map((each) => [each.signatureValid, each.standardSignatureValid]);
  t.deepEqual(verdicts, [
    [true, true],
    [true, true],
    [false, false],
    [false, false],
    [false, false],
    [true, false],
  ]);
});

test('a secret that is set later applies to earlier deliveries', async (t) => {
  const { call, webhook, requests } = await receiverFor(t);
  await call('POST', '/webhook/a', { body: '{}', headers: signed('{}') });
  t.is(requests('a')[0]?.signatureValid, null);

  webhook('a').set({ secret });
  t.like(requests('a')[0], { signatureValid: true, standardSignatureValid: true });
});

test('a long poll returns on a request, or empty on timeout', async (t) => {
  const { call } = await receiverFor(t);
  const poll = (path: string) =>
    call('GET', `/control/webhooks/a/requests${path}`).then(({ body }) => JSON.parse(body));
  t.deepEqual(await poll('?after=0&waitMs=10'), { requests: [] });

  const waiting = poll('?after=1&waitMs=30000');
  await call('POST', '/webhook/a', { body: '{}' });
  await call('POST', '/webhook/a', { body: '{}' });
  const { requests } = await waiting;
  t.deepEqual(
    requests.map(({ number, answeredStatus }: { number: number; answeredStatus: number }) => [number, answeredStatus]),
    [[2, 200]],
  );
});

test('deleting requests resets the counts but not the numbers', async (t) => {
  const { call, requests, webhook } = await receiverFor(t);
  await call('POST', '/webhook/a', { body: '{}' });
  t.is((await call('DELETE', '/control/webhooks/a/requests')).status, 204);
  t.deepEqual(requests('a'), []);

  await call('POST', '/webhook/a', { body: '{}' });
  t.is(requests('a')[0]?.number, 2);
  t.is(webhook('a').log.counts.count, 1);
});

test('the index page escapes the contents of requests', async (t) => {
  const { call } = await receiverFor(t);
  await call('POST', '/webhook/a%3Cb%3E', { body: '<script>alert(1)</script>' });
  const { body, status } = await call('GET', '/');
  t.is(status, 200);
  t.true(body.includes('&lt;script&gt;alert(1)&lt;/script&gt;') && body.includes('a&lt;b&gt;'));
  t.false(body.includes('<script>'));
});

test('an invalid script is refused with the problem', async (t) => {
  const { control } = await receiverFor(t);
  const { status, body } = await control('a', { answers: [{ mode: 'explode' }] });
  t.is(status, 400);
  t.true(body.includes('answers.0.mode'));
});
