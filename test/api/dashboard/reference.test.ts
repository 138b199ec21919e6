import { request as httpRequest, type IncomingMessage } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, createGunzip } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { testApi } from '../../harness/api/api.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

async function folderWith(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder(t);
  await Promise.all(Object.entries(files).map(([name, contents]) => writeFile(join(folder, name), contents)));
  return folder;
}

const manifest = {
  script: 'main-A.js',
  style: 'style-A.css',
  icon: 'icon-A.svg',
  preload: [],
  files: { 'main-A.js': [], 'style-A.css': [], 'icon-A.svg': [] },
};

function get(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => httpRequest(url, { headers }, resolve).on('error', reject).end());
}

test('the API reference serves hashed files and no inline code', async (t) => {
  const referenceFolder = await folderWith(t, {
    'manifest.json': JSON.stringify(manifest),
    'main-A.js': '//',
    'style-A.css': '',
    'icon-A.svg': '<svg/>',
  });
  const { url } = await testApi(t, { referenceFolder });
  const page = await get(`${url}/docs`);
  const html = await text(page);
  t.regex(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self'; style-src 'self';/);
  t.notRegex(String(page.headers['content-security-policy']), /unsafe/);
  t.notRegex(html, /style=|<style|<script(?! type="module" src="\/docs\/assets\/)/);
  const script = await get(`${url}/docs/assets/main-A.js`);
  t.is(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.is((await get(`${url}/docs/assets/manifest.json`)).statusCode, 404);
  const known = await get(`${url}/docs/assets/main-A.js`, { 'if-none-match': String(script.headers.etag) });
  t.is(known.statusCode, 304);
});

test('an unbuilt API reference says how to build it', async (t) => {
  const { url } = await testApi(t, { referenceFolder: await folderWith(t, {}) });
  const page = await get(`${url}/docs`);
  t.is(page.statusCode, 200);
  t.regex(await text(page), /npm run build/);
});

test('the OpenAPI document is compressed and cached', async (t) => {
  const { url } = await testApi(t);
  const plain = await text(await get(`${url}/openapi.json`));
  const gzip = await get(`${url}/openapi.json`, { 'accept-encoding': 'gzip' });
  t.is(gzip.headers['content-encoding'], 'gzip');
  t.is(await text(gzip.pipe(createGunzip())), plain);
  const brotli = await get(`${url}/openapi.json`, { 'accept-encoding': 'br, gzip' });
  const parts: Buffer[] = [];
  for await (const part of brotli) parts.push(part);
  t.is(brotliDecompressSync(Buffer.concat(parts)).toString(), plain);
  t.true(Buffer.concat(parts).length < plain.length / 10);
  const known = await get(`${url}/openapi.json`, {
    'accept-encoding': 'br',
    'if-none-match': String(brotli.headers.etag),
  });
  t.is(known.statusCode, 304);
});
