import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { platformWebhookRoutes } from '../../../api/ingest/routes.ts';
import { createTakeWebhook, type TakeWebhook } from '../../../api/ingest/take-webhook.ts';
import { outcomeOf, type WebhookListener, webhookListener } from '../../../api/ingest/webhook-listener.ts';
import { createApiServer } from '../../../api/requests/api-server.ts';
import { createBodyBudget } from '../../../process/body-budget.ts';
import { signWebhook } from '../../../simulator/webhooks/sign.ts';
import { baseUrl, testApi } from '../../harness/api/api.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const appSecret = 'secret';
const body = '{}';
const signed = { 'x-hub-signature-256': signWebhook(Buffer.from(body), appSecret), 'x-request-id': 'own' };
const events = { accept: () => Promise.resolve('accepted' as const), idle: () => Promise.resolve() };

async function listen(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createApiServer({ listener, log: rememberingLog() }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, headers: Record<string, string> = signed): Promise<Response> =>
  fetch(`${url}/platform/webhooks`, { method: 'POST', body, headers });

test('an accepted webhook has the same answer with and without Koa', async (t) => {
  const deps = { events, appSecrets: ['the next secret', appSecret], bodies: createBodyBudget() };
  const { url: koaUrl } = await testApi(t, {
    ingest: platformWebhookRoutes({ ...deps, verifyToken: 'token', baseUrl }),
  });
  const others = (): void => t.fail();
  const url = await listen(t, webhookListener({ take: createTakeWebhook(deps), others, trustProxy: false }));
  const [byKoa, direct] = await Promise.all([post(koaUrl), post(url)]);
  t.is(direct.status, 200);
  t.is(await direct.text(), await byKoa.text());
  const headersOf = ({ headers }: Response): object => ({ ...Object.fromEntries(headers), date: '' });
  t.deepEqual(headersOf(direct), headersOf(byKoa));
});

test('the other listener answers what is not accepted', async (t) => {
  const outcomes: ReturnType<TakeWebhook>[] = [];
  const failed = Promise.reject(new Error('down'));
  failed.catch(() => undefined);
  const take: TakeWebhook = ({ req }) => (req.headers['x-request-id'] ? failed : Promise.resolve('unsigned'));
  const others: RequestListener = (req, res) => {
    outcomes.push(outcomeOf(req)!);
    res.writeHead(503).end();
  };
  const url = await listen(t, webhookListener({ take, others, trustProxy: false }));
  t.is((await post(url)).status, 503);
  t.is((await post(url, {})).status, 503);
  await t.throwsAsync(outcomes[0]!, { message: 'down' });
  t.is(await outcomes[1], 'unsigned');
});

test('the other listener answers other requests without an outcome', async (t) => {
  const others: RequestListener = (req, res) => void res.writeHead(outcomeOf(req) ? 500 : 204).end();
  const take: TakeWebhook = () => Promise.reject(new Error('taken'));
  const url = await listen(t, webhookListener({ take, others, trustProxy: false }));
  t.is((await fetch(`${url}/platform/webhooks`)).status, 204);
  t.is((await fetch(`${url}/platform/webhooks/`, { method: 'POST' })).status, 204);
});

test('an accepted webhook is counted with its route', async (t) => {
  const served = Promise.withResolvers<unknown>();
  const meter: WebhookListener['meter'] = { requestServed: ({ seconds: _, ...request }) => served.resolve(request) };
  const take: TakeWebhook = () => Promise.resolve('accepted');
  const url = await listen(t, webhookListener({ take, others: () => t.fail(), trustProxy: false, meter }));
  await post(url);
  t.deepEqual(await served.promise, { method: 'POST', route: '/platform/webhooks', status: 200 });
});

test('only the last address of a trusted proxy counts', async (t) => {
  const addresses: string[] = [];
  const take: TakeWebhook = ({ clientAddress }) => {
    addresses.push(clientAddress);
    return Promise.resolve('accepted');
  };
  for (const trustProxy of [true, false]) {
    const url = await listen(t, webhookListener({ take, others: () => t.fail(), trustProxy }));
    await post(url, { 'x-forwarded-for': '192.0.2.1, 192.0.2.2' });
    await post(url, {});
  }
  t.deepEqual(addresses, ['192.0.2.2', '127.0.0.1', '127.0.0.1', '127.0.0.1']);
});
