import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import test, { type ExecutionContext } from 'ava';
import { addressMarks } from '../../../contract/guides.ts';
import { testApi, type TestApiOptions } from '../../harness/api/api.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const inputs = '0123456789abcdef';
const inline = { scripts: ['sha256-c2NyaXB0'], styles: ['sha256-c3R5bGU='] };
const text = `API ${addressMarks.api}/x, gateway ${addressMarks.gateway}, Temporal ${addressMarks.temporal}. ${'Long. '.repeat(100)}`;
const contents = {
  'index.html': `<p>home ${addressMarks.api}</p>`,
  'receiving.html': `<p>${text}</p>`,
  'receiving.md': `# Receiving\n\n${text}`,
  'adr/index.html': '<p>decisions</p>',
  '404.html': '<p>no guide</p>',
  'llms.txt': addressMarks.api,
  'assets/app.AAAA.js': 'x'.repeat(1_000),
  'assets/receiving.md.BBBB.js': `const page = "${addressMarks.api}";`,
};

async function builtGuides(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const [name, content] of Object.entries(contents)) {
    const path = join(folder, inputs, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  await writeFile(join(folder, inputs, 'secret.txt'), 'not in the manifest');
  const files = Object.fromEntries(Object.entries(contents).map(([name, one]) => [name, one.includes('.invalid')]));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ inputs, ...inline, files }));
  return folder;
}

async function siteOf(t: ExecutionContext, deps: TestApiOptions = {}) {
  return await testApi(t, {
    guidesFolder: await builtGuides(t),
    baseUrl: 'https://channels.acme.example/',
    gatewayUrl: 'https://gateway.acme.example',
    temporalUiUrl: 'https://temporal.acme.example',
    ...deps,
  });
}

test('guides show the addresses of the installation', async (t) => {
  const { url } = await siteOf(t, { deployment: 'development' });
  for (const path of ['receiving', 'receiving.md']) {
    const page = await (await fetch(`${url}/guides/${path}`)).text();
    t.true(page.includes('API https://channels.acme.example/x, gateway https://gateway.acme.example,'), page);
    t.true(page.includes('Temporal https://temporal.acme.example.'), page);
  }
  t.is(await (await fetch(`${url}/llms.txt`)).text(), 'https://channels.acme.example');
});

test('guides hide the Temporal UI outside development', async (t) => {
  const { url } = await siteOf(t, { deployment: 'production' });
  const page = await (await fetch(`${url}/guides/receiving`)).text();
  t.true(page.includes('Temporal https://temporal.example.com.'), page);
});

test('an address can break out of no markup, script or command', async (t) => {
  const baseUrl = `https://channels.acme.example/a'b"c<d>\${e}\`f&g;h(i)|j`;
  const { url } = await siteOf(t, { baseUrl });
  const script = await (await fetch(`${url}/guides/assets/receiving.md.BBBB.js`)).text();
  const shown = /^const page = "([^"]*)";$/.exec(script)?.[1] ?? '';
  t.regex(shown, /^https:\/\/channels\.acme\.example\/[\w%]+$/);
  t.is(decodeURIComponent(shown), baseUrl);
});

test('pages have a policy, a check for changes and one address', async (t) => {
  const { url } = await siteOf(t);
  const page = await fetch(`${url}/guides/receiving`, { headers: { 'accept-encoding': 'br' } });
  t.is(page.status, 200);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(page.headers.get('cache-control'), 'public, no-cache');
  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(
    policy,
    /^default-src 'none'; script-src 'self' 'sha256-c2NyaXB0'; style-src 'self' 'unsafe-hashes' 'sha256-c3R5bGU='; img/,
  );
  // `fetch` would ask for no answer of a cache.
  const again = await request(`${url}/guides/receiving`, {
    headers: { 'if-none-match': page.headers.get('etag') ?? '', 'accept-encoding': 'br' },
  });
  t.is(again.statusCode, 304);
  for (const [path, target] of [
    ['/guides', '/guides/'],
    ['/guides/receiving.html', '/guides/receiving'],
    ['/guides/adr', '/guides/adr/'],
    ['/guides/index.html', '/guides/'],
  ] as const) {
    const { status, headers } = await fetch(url + path, { redirect: 'manual' });
    t.is(status, 302, path);
    t.is(headers.get('location'), target, path);
  }
  t.regex(await (await fetch(`${url}/guides`)).text(), /home/);
  t.is((await fetch(`${url}/guides/`, { method: 'HEAD' })).status, 200);
});

test('only files without addresses are kept by browsers', async (t) => {
  const { url } = await siteOf(t);
  const cacheOf = async (name: string) => (await fetch(`${url}/guides/assets/${name}`)).headers.get('cache-control');
  t.is(await cacheOf('app.AAAA.js'), 'public, max-age=31536000, immutable');
  t.is(await cacheOf('receiving.md.BBBB.js'), 'public, no-cache');
});

test('guides are compressed as the client accepts', async (t) => {
  const { url } = await siteOf(t);
  const plain = await (await fetch(`${url}/guides/receiving`)).text();
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, body } = await request(`${url}/guides/receiving`, { headers: { 'accept-encoding': encoding } });
    t.is(headers['content-encoding'], encoding);
    t.regex(String(headers['vary']), /accept-encoding/i);
    t.is(unpack[encoding](Buffer.from(await body.arrayBuffer())).toString(), plain);
  }
});

test('an unknown guide is a page with status 404', async (t) => {
  const { url } = await siteOf(t);
  for (const path of [
    'nothing',
    'secret.txt',
    'manifest.json',
    '../manifest.json',
    '..%2Fmanifest.json',
    '__proto__',
  ]) {
    const page = await fetch(`${url}/guides/${path}`);
    t.is(page.status, 404, path);
    if (!path.startsWith('../')) t.is(await page.text(), '<p>no guide</p>', path);
  }
});

test('guides that are not built say so and appear without a restart', async (t) => {
  const folder = await temporaryFolder(t);
  const { url } = await testApi(t, { guidesFolder: folder });
  const before = await fetch(`${url}/guides/receiving`);
  t.is(before.status, 503);
  t.is(before.headers.get('retry-after'), '10');
  t.regex(await before.text(), /npm run build/);
  await mkdir(join(folder, inputs), { recursive: true });
  await writeFile(join(folder, inputs, 'receiving.html'), 'built');
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ inputs, ...inline, files: { 'receiving.html': false } }),
  );
  t.is(await (await fetch(`${url}/guides/receiving`)).text(), 'built');
});

test('an error answer links to the guide that helps', async (t) => {
  const { url } = await siteOf(t, { baseUrl: 'https://channels.acme.example' });
  const { status, headers } = await fetch(`${url}/platform/channels`);
  t.is(status, 401);
  t.is(headers.get('link'), '<https://channels.acme.example/guides/errors#auth_required>; rel="help"');
});
