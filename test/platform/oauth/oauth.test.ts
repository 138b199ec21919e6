import { createServer, type RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import { essentialPageFields, pageFields } from '../../../platform/client/oauth-vocabulary.ts';
import { createPlatformOAuth } from '../../../platform/oauth/oauth.ts';
import { onLoopback } from '../../harness/connections/loopback.ts';

/** Answers by the end of the path. */
async function oauthFor(t: ExecutionContext, answer: RequestListener, { timeoutMs = 120_000 } = {}) {
  const { url, stop } = await onLoopback(createServer(answer));
  const oauth = createPlatformOAuth({
    oauthUrl: 'https://www.platform.example/v23.0/dialog/oauth',
    apiUrl: url,
    apiVersion: 'v23.0',
    clientId: '4711',
    appSecret: 'app secret',
    scopes: { pageapp: ['one', 'two'] },
    timeoutMs,
  });
  t.teardown(async () => {
    await oauth.close();
    await stop();
  });
  const redeem = (type: 'chatapp' | 'photoapp' | 'pageapp' = 'pageapp') =>
    oauth.redeem({ type, code: 'the code', redirectUri: 'https://us/', signal: AbortSignal.timeout(240_000) });
  return { oauth, redeem };
}

const granted = (target_ids: readonly string[]) => ({
  scopes: ['pages_show_list'],
  granular_scopes: [{ scope: 'pages_show_list', target_ids }],
});

const linkedPhoto = 'instagram_business_account';
const token = { access_token: 'a customer token', expires_in: 60 };
const json = (response: Parameters<RequestListener>[1], value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

test('the consent requests the configured scopes or the defaults', async (t) => {
  const { oauth } = await oauthFor(t, (_, response) => json(response, {}));
  const url = (type: 'chatapp' | 'pageapp') =>
    new URL(oauth.consentUrl({ type, state: 's&1', redirectUri: 'https://us/connect/callback' })).searchParams;
  t.is(url('pageapp').get('scope'), 'one,two');
  t.is(
    url('chatapp').get('scope'),
    'whatsapp_business_management,whatsapp_business_messaging,business_management',
    'Pages and numbers of a business need its permission',
  );
  t.is(url('chatapp').get('state'), 's&1');
});

test('all pages of a list are read, without Pages lacking a token', async (t) => {
  const paths: string[] = [];
  const { redeem } = await oauthFor(t, (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    paths.push(`${request.method} ${url.pathname}`);
    if (url.pathname.endsWith('/access_token')) return json(response, token);
    if (url.pathname.endsWith('/debug_token')) return json(response, { data: granted(['1', '2', '3', '9']) });
    if (url.searchParams.get('after') === 'c1')
      return json(response, { data: [{ id: '3', name: 'C', access_token: 'c' }] });
    const data = [
      { id: '1', name: 'B', access_token: 'b', [linkedPhoto]: { id: '9', username: 'photo' } },
      { id: '2', name: 'no role' },
    ];
    return json(response, { data, paging: { next: 'http://elsewhere/', cursors: { after: 'c1' } } });
  });
  const shared = { expiresAtMs: null, isRegistered: true };
  const missing = [{ cause: 'role_missing', names: ['no role'] }];
  t.deepEqual((await redeem()).missing, missing);
  t.deepEqual((await redeem()).accounts, [
    { ...shared, resourceId: '1', name: 'B', token: 'b', subscriptionId: '1', linkedResourceId: '9' },
    { ...shared, resourceId: '3', name: 'C', token: 'c', subscriptionId: '3', linkedResourceId: null },
  ]);
  t.deepEqual((await redeem('photoapp')).accounts, [
    { ...shared, resourceId: '9', name: 'photo', token: 'b', subscriptionId: '1', linkedResourceId: '1' },
  ]);
  t.true(paths.every((path) => path.startsWith('GET /v23.0/')));
});

test("refusals keep the platform's codes and hide the call", async (t) => {
  let calls = 0;
  const { redeem } = await oauthFor(t, (_, response) => {
    calls++;
    json(response, { error: { code: 100, error_subcode: 36009, message: 'the code' } }, 400);
  });
  const error = await t.throwsAsync(redeem(), { instanceOf: PlatformRejected });
  t.like(error, { status: 400, code: 100, subcode: 36009 });
  t.notRegex(JSON.stringify(error) + String(error?.stack), /the code|app secret/);
  t.is(calls, 1, 'a code is used once');
});

test('timeouts, errors, redirects, other shapes and endless answers are rejected', async (t) => {
  const answers: Record<string, RequestListener> = {
    silence: () => undefined,
    fault: (_, response) => json(response, {}, 500),
    redirect: (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    text: (_, response) => response.end('hello'),
    shape: (_, response) => json(response, { access_token: 7 }),
    endless: (_, response) => void response.end(`"${'x'.repeat(2 * 1024 * 1024)}"`),
    cut: (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  };
  for (const [name, answer] of Object.entries(answers)) {
    const { redeem } = await oauthFor(t, answer, name === 'silence' ? { timeoutMs: 300 } : {});
    const error = await t.throwsAsync(redeem(), { instanceOf: PlatformUnavailable }, name);
    t.notRegex(JSON.stringify(error) + String(error?.stack), /the code|app secret/);
  }
});

test('a Page without an essential field is not subscribed', async (t) => {
  const tried: string[] = [];
  const { oauth } = await oauthFor(t, (request, response) => {
    tried.push(new URL(request.url ?? '', 'http://x').searchParams.get('subscribed_fields') ?? '');
    json(response, { error: { code: 200, message: 'no' } }, 403);
  });
  const account = { resourceId: '1', name: 'A', token: 'a', subscriptionId: '1', isRegistered: true };
  const target = { ...account, expiresAtMs: null, linkedResourceId: null };
  const subscribing = oauth.subscribe({ type: 'pageapp', account: target, signal: AbortSignal.timeout(240_000) });
  await t.throwsAsync(subscribing, { instanceOf: PlatformRejected });
  t.deepEqual(tried, [pageFields.join(','), essentialPageFields.join(',')]);
});
