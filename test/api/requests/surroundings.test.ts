import { connect } from 'node:net';
import test from 'ava';
import { routes } from '../../../openapi/route-table.ts';
import { testApi } from '../../harness/api/api.ts';
import { signWebhook } from '../../../simulator/webhooks/post-webhook.ts';
import { connectDatabase } from '../../../db/core/connect-database.ts';
import { emptyDatabase } from '../../harness/database/database.ts';

test('an unknown path is not found without a credential', async (t) => {
  const { refused } = await testApi(t);
  t.is((await refused('ROUTE_NOT_FOUND', 'GET /nowhere')).status, 404);
  await refused('ROUTE_NOT_FOUND', 'GET /deliveries/');
  await refused('ROUTE_NOT_FOUND', 'GET /Deliveries');
  await refused('ROUTE_NOT_FOUND', 'GET /%E0%A4%A');
});

test('a ready process reports its database, Temporal and the workers', async (t) => {
  const { call } = await testApi(t, {
    namespaceState: () => Promise.resolve('ok'),
    workersState: () => Promise.resolve('ok'),
  });
  t.deepEqual((await call('GET /healthz')).body, { status: 'ok' });
  t.deepEqual((await call('GET /readyz')).body, { status: 'ready', database: 'ok', temporal: 'ok', workers: 'ok' });
});

test('a ready process says that no worker delivers', async (t) => {
  const { call } = await testApi(t, { workersState: () => Promise.resolve('missing') });
  t.like(await call('GET /readyz'), { status: 200, body: { status: 'ready', workers: 'missing' } });
});

test('a ready process says that its namespace is missing', async (t) => {
  const { call } = await testApi(t, { namespaceState: () => Promise.resolve('namespace_missing') });
  t.like(await call('GET /readyz'), { status: 200, body: { status: 'ready', temporal: 'namespace_missing' } });
});

test('a process without a usable database is alive but not ready', async (t) => {
  const { db: empty } = await emptyDatabase(t);
  const unmigrated = await testApi(t, { db: empty });
  t.like(await unmigrated.call('GET /readyz'), {
    status: 503,
    body: { database: 'not_migrated', temporal: 'unreachable' },
  });
  const away = connectDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'test' });
  t.teardown(() => away.destroy());
  const unreachable = await testApi(t, { db: away });
  t.like(await unreachable.call('GET /readyz'), { status: 503, body: { database: 'unreachable' } });
  t.is((await unreachable.call('GET /healthz')).status, 200);
});

test('an unexpected error is answered as INTERNAL without detail', async (t) => {
  const { db: empty } = await emptyDatabase(t);
  const { refused } = await testApi(t, { db: empty });
  const { status, body } = await refused('INTERNAL', 'GET /deliveries', { key: 'hmok_x' });
  t.is(status, 500);
  t.notRegex(body.message, /relation|select|api_keys/);
});

test('the document lists every route, and its pages load nothing external', async (t) => {
  const { url } = await testApi(t);
  const document: any = await (await fetch(`${url}/openapi.json`)).json(); // eslint-disable-line @typescript-eslint/no-explicit-any -- any JSON
  t.is(document.openapi, '3.1.0');
  for (const { path, method } of routes) t.truthy(document.paths[path]?.[method], `${method} ${path}`);
  for (const page of ['/', '/docs']) {
    const response = await fetch(`${url}${page}`);
    const html = await response.text();
    t.regex(response.headers.get('content-type') ?? '', /^text\/html; charset=utf-8/);
    t.notRegex(html, /(src|href)="(https?:)?\/\//);
    t.notRegex(response.headers.get('content-security-policy') ?? '', /unsafe|https?:|\*/);
    for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      if (path === '/guides/') continue; // built apart
      t.is((await fetch(new URL(path!, `${url}${page}`))).status, 200, path);
    }
  }
});

test("the platform's webhook route bypasses credentials and body parsing", async (t) => {
  const body = '{"entry":[]}';
  const headers = { 'x-hub-signature-256': signWebhook(Buffer.from(body), 'secret') };
  const events = { accept: () => Promise.resolve('accepted' as const) };
  const { call, refused } = await testApi(t, { ingest: { events, appSecrets: ['secret'], verifyToken: 'token' } });
  t.is((await call('POST /platform/webhooks', { body, headers })).status, 200);
  const answer = await refused('METHOD_NOT_ALLOWED', 'DELETE /platform/webhooks');
  t.is(answer.headers.get('allow'), 'HEAD, GET, POST, OPTIONS');
});

test('the API survives a request aborted within its body', async (t) => {
  const { url, call } = await testApi(t);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('PUT /webhook-config/ch_00000000 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"webh');
  socket.destroySoon();
  await closed;
  t.is((await call('GET /healthz')).status, 200);
});
