import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { platformWebhook, type PlatformWebhookDeps } from '../../../api/ingest/platform-webhook.ts';
import { createApiServer } from '../../../api/requests/api-server.ts';
import { createBodyBudget } from '../../../process/body-budget.ts';
import { signWebhook } from '../../../simulator/webhooks/post-webhook.ts';
import { baseUrl, testApi } from '../../harness/api/api.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { until } from '../../harness/until.ts';

const appSecret = 'secret';
const body = '{}';
const signed = { 'x-hub-signature-256': signWebhook(Buffer.from(body), appSecret), 'x-request-id': 'own' };
const given = {
  events: { accept: () => Promise.resolve('accepted' as const) },
  appSecrets: ['the next secret', appSecret],
  verifyToken: 'token',
};

async function listen(t: ExecutionContext, deps: Partial<PlatformWebhookDeps> = {}): Promise<string> {
  const log = rememberingLog();
  const own = { ...given, baseUrl, bodies: createBodyBudget(), trustProxy: false, log };
  const listener = platformWebhook({ ...own, ...deps }, (_, res) => void res.writeHead(204).end());
  const server = createApiServer({ listener, log }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, headers: Record<string, string> = signed, path = '/platform/webhooks'): Promise<Response> =>
  fetch(`${url}${path}`, { method: 'POST', body, headers });

test('an accepted webhook has an empty answer with few headers', async (t) => {
  const { status, headers, ...answer } = await post(await listen(t)).then(async (response) => ({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }));
  t.deepEqual({ status, ...answer }, { status: 200, text: '' });
  const { date: _, connection, 'keep-alive': keepAlive, ...own } = headers;
  t.deepEqual([connection, keepAlive], ['keep-alive', 'timeout=75']);
  t.deepEqual(own, {
    'content-length': '0',
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': 'own',
  });
});

test('a wrong platform signature is answered with a signature challenge', async (t) => {
  const { refused } = await testApi(t, { ingest: given });
  for (const signature of [{}, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }]) {
    const { headers } = await refused('AUTH_REQUIRED', 'POST /platform/webhooks', { headers: signature, body: {} });
    t.is(
      headers.get('www-authenticate'),
      'HMAC-SHA256 header="x-hub-signature-256", ' +
        'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
    );
  }
});

test('the address is taken in all spellings, and no other', async (t) => {
  const url = await listen(t);
  for (const path of ['/platform/webhooks/', '/Platform/Webhooks', '/platform/webhooks?a=b']) {
    t.is((await post(url, signed, path)).status, 200, path);
  }
  for (const path of ['/platform/webhooks/x', '/platform', '/platform/webhooksx']) {
    t.is((await post(url, signed, path)).status, 204, path);
  }
});

test('a handshake is answered with its challenge as text', async (t) => {
  const url = await listen(t);
  const query = 'hub.mode=subscribe&hub.verify_token=token&hub.challenge=1158';
  const answer = await fetch(`${url}/platform/webhooks?${query}`);
  t.is(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  t.is(await answer.text(), '1158');
  t.is((await fetch(`${url}/platform/webhooks?${query}x&hub.mode=subscribe`)).status, 403);
});

test('each webhook is counted with its route and status', async (t) => {
  const counted: unknown[] = [];
  const meter: PlatformWebhookDeps['meter'] = {
    requestServed: ({ seconds: _, ...request }) => counted.push(request),
    signatureRejected: () => counted.push('rejected'),
  };
  const url = await listen(t, { meter });
  await post(url);
  await post(url, {});
  const served = { method: 'POST', route: '/platform/webhooks' };
  await until(() => counted.length === 3, { for: 'The counts' });
  t.deepEqual(counted, [{ ...served, status: 200 }, 'rejected', { ...served, status: 401 }]);
});

test('only the last address of a trusted proxy counts', async (t) => {
  const addresses: string[] = [];
  const rateLimits: PlatformWebhookDeps['rateLimits'] = {
    countFailure: ({ clientAddress }) => {
      addresses.push(clientAddress);
      return Promise.resolve();
    },
  };
  for (const trustProxy of [true, false]) {
    const url = await listen(t, { rateLimits, trustProxy });
    await post(url, { 'x-forwarded-for': '192.0.2.1, 192.0.2.2' });
    await post(url, {});
  }
  t.deepEqual(addresses, ['192.0.2.2', '127.0.0.1', '127.0.0.1', '127.0.0.1']);
});
