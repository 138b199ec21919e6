import test, { type ExecutionContext } from 'ava';
import { createRateLimits, type RateLimitNumbers } from '../../../api/requests/rate-limits.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { aKey, aTenant } from '../../harness/tenants.ts';

const plenty: RateLimitNumbers = { perCredential: 1000, perAddress: 1000, failuresPerAddress: 1000 };
const limits = (numbers: Partial<RateLimitNumbers>) => createRateLimits({ ...plenty, ...numbers });
const route = 'GET /auth/session';

async function limitedApi(t: ExecutionContext, numbers: Partial<RateLimitNumbers>, { trustProxy = false } = {}) {
  const api = await testApi(t, { rateLimits: limits(numbers), trustProxy });
  return { ...api, ...(await aTenant(api.db)) };
}

test('a credential over its limit gets a retry time; others pass', async (t) => {
  const { call, refused, db, apiKey, organization, user } = await limitedApi(t, { perCredential: 2 });
  const first = await call(route, { key: apiKey });
  t.is(first.headers.get('ratelimit-policy'), '"credential";q=2;w=60');
  t.regex(first.headers.get('ratelimit') ?? '', /^"credential";r=1;t=\d+$/);
  await call(route, { key: apiKey });
  const { status, headers } = await refused('RATE_LIMITED', route, { key: apiKey });
  t.is(status, 429);
  const seconds = Number(headers.get('retry-after'));
  t.true(seconds >= 1 && seconds <= 60);
  t.regex(headers.get('ratelimit') ?? '', /^"credential";r=0;t=\d+$/);
  t.is((await call(route, { key: await aKey(db, { organization, user }) })).status, 200);
});

test('an address over its limit is refused, except for health checks', async (t) => {
  const { call, refused, apiKey } = await limitedApi(t, { perAddress: 2 });
  for (const path of ['GET /healthz', 'GET /readyz', 'GET /healthz']) await call(path);
  const { headers } = await call('POST /auth/sign-in', { body: {} });
  t.is(headers.get('ratelimit-policy'), '"address";q=2;w=60');
  await call(route, { key: apiKey });
  await refused('RATE_LIMITED', route, { key: apiKey });
  await refused('RATE_LIMITED', 'POST /auth/sign-in', { body: {} });
  t.is((await call('GET /healthz')).status, 200);
});

test('opening an onboarding link too often shows an explanatory page', async (t) => {
  const { url } = await limitedApi(t, { perAddress: 1 });
  const open = () => fetch(`${url}/connect/unknown`, { headers: { accept: 'text/html' } });
  t.is((await open()).status, 404);
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(`${url}/connect/unknown/begin`, { method });
    t.is(answer.status, 429);
    t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.true(Number(answer.headers.get('retry-after')) >= 1);
    t.regex(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const page = await answer.text();
    t.regex(page, /Please wait a moment[^]*Try again in \d+ s/);
    t.true(page.includes(answer.headers.get('x-request-id')!));
  }
});

test('repeated invalid credentials get 429 while valid ones pass', async (t) => {
  const { call, refused, apiKey } = await limitedApi(t, { failuresPerAddress: 3 });
  await refused('AUTH_REQUIRED', route);
  await refused('AUTH_REQUIRED', route, { key: 'hmok_unknown' });
  await refused('CREDENTIAL_NOT_ACCEPTED_HERE', route, { key: 'hmat_x' });
  const { headers } = await refused('RATE_LIMITED', route, { key: 'hmok_unknown' });
  t.truthy(headers.get('retry-after'));
  await refused('RATE_LIMITED', 'POST /auth/refresh', { body: { refreshToken: 'unknown' } });
  t.is((await call(route, { key: apiKey })).status, 200);
});

test('X-Forwarded-For counts only behind a proxy, by its last address', async (t) => {
  const from = (...addresses: string[]) => ({ headers: { 'x-forwarded-for': addresses.join(', ') } });
  const direct = await limitedApi(t, { perAddress: 1 });
  await direct.call(route, { key: direct.apiKey, ...from('192.0.2.1') });
  await direct.refused('RATE_LIMITED', route, { key: direct.apiKey, ...from('192.0.2.2') });

  const { call, refused, apiKey: key } = await limitedApi(t, { perAddress: 1 }, { trustProxy: true });
  await call(route, { key, ...from('192.0.2.1') });
  await call(route, { key, ...from('192.0.2.2') });
  await refused('RATE_LIMITED', route, { key, ...from('192.0.2.1') });
  await refused('RATE_LIMITED', route, { key, ...from('198.51.100.9', '192.0.2.2') });
  for (const spelling of ['192.0.2.1:4711', '192.0.2.1:4712', '[::ffff:192.0.2.1]:1', 'for="192.0.2.1"'])
    await refused('RATE_LIMITED', route, { key, ...from(spelling) });
  await call(route, { key, ...from('garbage 1') });
  await refused('RATE_LIMITED', route, { key, ...from('garbage 2') });
});

test('an IPv6 /64 network counts as one address', async (t) => {
  const { countRequest } = limits({ perAddress: 1 });
  const caller = (clientAddress: string) => ({ clientAddress, setHeader: () => undefined });
  await countRequest(caller('2001:db8:0:1::1'));
  await t.throwsAsync(countRequest(caller('2001:db8:0:1:ffff::2')), { message: /Too many/ });
  await t.notThrowsAsync(countRequest(caller('2001:db8:0:2::1')));
  await countRequest(caller('192.0.2.1'));
  await t.throwsAsync(countRequest(caller('::ffff:192.0.2.1')));
});

/** Each request comes from the next /64 of one /48 network. */
async function passedOf(count: number, send: (clientAddress: string) => Promise<void>): Promise<number> {
  let passedCount = 0;
  for (let block = 0; block < count; block++) {
    const isPassed = await send(`2001:db8:7:${block.toString(16)}::1`).then(
      () => true,
      () => false,
    );
    if (isPassed) passedCount++;
  }
  return passedCount;
}

test("an IPv6 /48 network gets eight times an address's limit", async (t) => {
  const { countRequest, countFailure } = limits({ perAddress: 3, failuresPerAddress: 2 });
  const headers: Record<string, string> = {};
  const from = (clientAddress: string) => ({
    clientAddress,
    setHeader: (name: string, value: string) => void (headers[name] = value),
  });
  t.is(await passedOf(1_000, (address) => countRequest(from(address))), 24);
  t.is(headers['ratelimit-policy'], '"address-network";q=24;w=60');
  t.is(await passedOf(1_000, (address) => countFailure(from(address))), 16);
  await t.notThrowsAsync(countRequest(from('2001:db8:8::1')), 'another network');
});

test('one /64 block uses one share of its /48 network', async (t) => {
  const { countRequest } = limits({ perAddress: 3 });
  const from = (clientAddress: string) => ({ clientAddress, setHeader: () => undefined });
  for (let count = 0; count < 50; count++) await countRequest(from('2001:db8:7:ffff::1')).catch(() => undefined);
  t.is(await passedOf(1_000, (address) => countRequest(from(address))), 21);
});

test('no request is counted without configured limits', async (t) => {
  const { call, key } = await tenantStage(t);
  const { headers } = await call(route, { key });
  t.is(headers.get('ratelimit'), null);
});
