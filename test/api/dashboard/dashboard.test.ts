import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { BUILT_FOLDER } from '../../../api/docs/dashboard/routes.ts';
import { setStaff } from '../../../db/people/users.ts';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { createPlatformOAuth } from '../../../platform/oauth/oauth.ts';
import { testApi } from '../../harness/api/api.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aTenant } from '../../harness/tenants.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const script = `console.log(${JSON.stringify('dashboard'.repeat(50))})`;
const manifest = {
  script: 'main-AAAA.js',
  style: 'style-BBBB.css',
  icon: 'icon-CCCC.svg',
  preload: ['part-DDDD.js'],
  files: { 'main-AAAA.js': ['br', 'gzip'], 'style-BBBB.css': [], 'icon-CCCC.svg': [], 'part-DDDD.js': [] },
};

async function build(folder: string, text = script): Promise<void> {
  await Promise.all([
    writeFile(join(folder, 'main-AAAA.js'), text),
    writeFile(join(folder, 'main-AAAA.js.br'), brotliCompressSync(text)),
    writeFile(join(folder, 'main-AAAA.js.gz'), gzipSync(text)),
    writeFile(join(folder, 'style-BBBB.css'), 'a { color: red }'),
    writeFile(join(folder, 'icon-CCCC.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    writeFile(join(folder, 'part-DDDD.js'), 'export {}'),
    writeFile(join(folder, 'secret.txt'), 'not in the manifest'),
  ]);
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

async function siteOf(t: ExecutionContext) {
  const dashboardFolder = await temporaryFolder(t);
  await build(dashboardFolder);
  return await testApi(t, { dashboardFolder });
}

test('every dashboard address serves one uncached page that loads only its files', async (t) => {
  const { url } = await siteOf(t);
  const pages = await Promise.all(
    ['/', '/app', '/app/', '/app/org_00000000/ws_00000000/channels?status=x', '/app/invitations/accept?token=x'].map(
      async (path) => await fetch(url + path),
    ),
  );
  const texts = await Promise.all(pages.map((page) => page.text()));
  t.is(new Set(texts).size, 1);
  for (const { status, headers } of pages) {
    t.is(status, 200);
    t.is(headers.get('content-type'), 'text/html; charset=utf-8');
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('referrer-policy'), 'no-referrer');
    const policy = headers.get('content-security-policy') ?? '';
    t.regex(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    t.regex(policy, /base-uri 'none'; frame-ancestors 'none'$/);
    t.notRegex(policy, /unsafe|https?:|\*/);
  }
  t.notRegex(texts[0]!, /<style|<script(?![^>]* src=)| style=| on\w+=/);
  const loaded = [...texts[0]!.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  t.deepEqual(loaded.toSorted(), [manifest.icon, manifest.script, manifest.style, 'part-DDDD.js'].map((name) => `/assets/${name}`).toSorted()); // prettier-ignore
});

test('an asset is immutable, encoded as accepted and not resent', async (t) => {
  const { url } = await siteOf(t);
  const asset = `${url}/assets/main-AAAA.js`;
  for (const [accepted, expected] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const { status, headers, ...response } = await fetchAs(asset, { 'accept-encoding': accepted });
    t.is(status, 200, accepted);
    t.is(headers.get('content-encoding'), expected);
    t.is(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is(headers.get('content-type'), 'text/javascript; charset=utf-8');
    t.is(headers.get('vary'), 'accept-encoding');
    t.is(response.text, script);
    const known = { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const again = await fetchAs(asset, { 'accept-encoding': accepted, ...known });
    t.is(again.status, 304);
    t.is(again.text, '');
  }
  t.is((await fetch(`${url}/assets/style-BBBB.css`)).headers.get('content-type'), 'text/css; charset=utf-8');
  t.is((await fetch(`${url}/assets/icon-CCCC.svg`)).headers.get('content-type'), 'image/svg+xml');
});

async function fetchAs(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('files that the manifest does not list are not served', async (t) => {
  const { url, refused } = await siteOf(t);
  for (const name of ['secret.txt', 'manifest.json', 'main-AAAA.js.br', '..%2Fpackage.json', 'toString', '__proto__']) {
    t.is((await fetch(`${url}/assets/${name}`)).status, 404, name);
  }
  await refused('METHOD_NOT_ALLOWED', 'POST /app/config.json');
});

test('a browser at /staff is sent to the staff desk', async (t) => {
  const { url, refused } = await siteOf(t);
  const opened = await fetch(`${url}/staff`, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
  t.is(opened.headers.get('location'), '/app/staff');
  await refused('ROUTE_NOT_FOUND', 'GET /staff');
});

test('an unbuilt dashboard shows build instructions; a build takes effect immediately', async (t) => {
  const dashboardFolder = await temporaryFolder(t);
  const { url } = await testApi(t, { dashboardFolder });
  const before = await (await fetch(url)).text();
  t.regex(before, /npm run build/);
  t.is((await fetch(`${url}/assets/main-AAAA.js`)).status, 404);
  await build(dashboardFolder);
  t.regex(await (await fetch(url)).text(), /\/assets\/main-AAAA\.js/);
  t.is((await fetch(`${url}/assets/main-AAAA.js`)).status, 200);
});

const temporalUiUrl = 'http://temporal.example';
const ui = { url: temporalUiUrl, namespace: 'default' };
const traceUrlTemplate = 'https://traces.example/trace/{traceId}';
const links = { temporalUi: ui, traceUrlTemplate };

test('everyone sees Temporal and trace UIs in development; staff in production', async (t) => {
  const configOf = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/app/config.json`, { headers });
    t.is(response.headers.get('cache-control'), 'no-store');
    return await response.json();
  };
  const development = await testApi(t, { deployment: 'development', temporalUiUrl, traceUrlTemplate });
  t.deepEqual(await configOf(development.url), { deployment: 'development', ...links, hasSimulator: true });

  const { db, url } = await testApi(t, { temporalUiUrl, traceUrlTemplate });
  const { user } = await aTenant(db);
  const { cookie } = await aSession(db, user);
  const none = { deployment: 'production', temporalUi: null, traceUrlTemplate: null, hasSimulator: false };
  t.deepEqual(await configOf(url), none);
  t.deepEqual(await configOf(url, { cookie }), none);
  t.deepEqual(await configOf(url, { cookie: '__Host-service_session=nonsense' }), none);
  await setStaff(db, user.id, { isStaff: true });
  t.deepEqual(await configOf(url, { cookie }), { deployment: 'production', ...links, hasSimulator: false });
});

test('a signed-in page sends a message from the simulator', async (t) => {
  const bodies: string[] = [];
  const simulator = createServer(async (request, response) => {
    bodies.push(`${request.url} ${await text(request)}`);
    response.end('{}');
  });
  await once(simulator.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => simulator.close());
  const oauthUrl = `http://127.0.0.1:${(simulator.address() as AddressInfo).port}/dialog/oauth`;
  const client = { apiUrl: oauthUrl, apiVersion: 'v23.0', clientId: 'demo-app', appSecret: 'app secret' };
  const platformOAuth = createPlatformOAuth({ ...client, oauthUrl });
  const { db, url } = await testApi(t, { deployment: 'development', platformOAuth });
  const { cookie } = await aSession(db, (await aTenant(db)).user, 'development');
  const send = async (headers: Record<string, string>) =>
    (await fetch(`${url}/app/simulated-messages/chatapp/100000000000001`, { method: 'POST', headers })).status;
  t.is(await send({ 'sec-fetch-site': 'same-origin' }), 403);
  t.is(await send({ cookie, 'sec-fetch-site': 'cross-site' }), 403);
  t.deepEqual(bodies, []);
  t.is(await send({ cookie, 'sec-fetch-site': 'same-origin' }), 204);
  t.deepEqual(bodies, ['/control/events {"product":"chatapp","kind":"message","resourceId":"100000000000001"}']);
});

test('the configuration names no UI if none is set', async (t) => {
  const { url } = await testApi(t, { deployment: 'development' });
  const none = { deployment: 'development', temporalUi: null, traceUrlTemplate: null, hasSimulator: true };
  t.deepEqual(await (await fetch(`${url}/app/config.json`)).json(), none);
});

test('pages are served from the folder that the build writes', (t) => {
  t.is(BUILT_FOLDER, join(projectRoot, 'dashboard/dist'));
});
