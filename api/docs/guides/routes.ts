import { join } from 'node:path';
import type Router from '@koa/router';
import type { ApiDeps } from '../../requests/deps.ts';
import type { ApiContext, ApiState } from '../../requests/state.ts';
import { policyOf } from '../sites/policy.ts';
import { sendFile } from '../sites/send-file.ts';
import { guideFiles, type GuideFiles } from './files.ts';
import { addressMark, type GuideAddresses, type GuideAddressName } from '../../../contract/guides.ts';

const BUILT_FOLDER = join(import.meta.dirname, '../../../dist/guides');
/** Building takes seconds on a machine that does nothing else. */
const RETRY_AFTER_SECONDS = 10;

/** Serves the guides with the addresses of the installation. Anyone may read them. */
export function mountGuides(router: Router<ApiState>, deps: ApiDeps): void {
  const { baseUrl, gatewayUrl, deployment, temporalUiUrl = null } = deps;
  // Only staff may know where Temporal is, except on a developer's computer.
  const temporal = deployment === 'development' ? temporalUiUrl : null;
  const fill = addressFiller({ api: baseUrl, gateway: gatewayUrl, temporal });
  const files = guideFiles({ folder: deps.guidesFolder ?? BUILT_FOLDER, fill });

  router.get('/llms.txt', (ctx) => ctx.redirect('/guides/llms.txt'));
  router.get(['/guides', '/guides/*path'], async (ctx) => {
    // The pages' relative addresses need the slash.
    if (ctx.path === '/guides') ctx.redirect(`/guides/${ctx.search}`);
    else await sendGuide(ctx, files);
  });
  router.get('/guides/', async (ctx) => await sendGuide(ctx, files));
}

async function sendGuide(ctx: ApiContext, files: GuideFiles): Promise<void> {
  const inline = files.manifest();
  ctx.set('content-security-policy', policyOf(inline && { inline }));
  if (!inline) return sendUnbuilt(ctx);
  const path = ctx.path.slice('/guides/'.length);
  const page = pageOf(path, files);
  if (page.redirect !== undefined) return ctx.redirect(page.redirect);
  const found = await files.file(page.name, (encoding) => Boolean(ctx.acceptsEncodings(encoding)));
  if (!found) throw new Error(`The built guides have no ${page.name}`);
  sendFile(ctx, found, page.status);
}

interface FoundPage {
  readonly name: string;
  readonly status: 200 | 404;
  readonly redirect?: string;
}

function pageOf(path: string, files: GuideFiles): FoundPage {
  if (path === '' || path.endsWith('/')) return existing(`${path}index.html`, files);
  if (path === '404.html') return { name: path, status: 404 };
  if (path.endsWith('.html') && files.has(path)) {
    const clean = `/guides/${path.replace(/(?:index)?\.html$/, '')}`;
    return { name: path, status: 200, redirect: clean };
  }
  if (files.has(path)) return { name: path, status: 200 };
  if (files.has(`${path}/index.html`)) return { name: path, status: 200, redirect: `/guides/${path}/` };
  return existing(`${path}.html`, files);
}

function existing(name: string, files: GuideFiles): FoundPage {
  return files.has(name) ? { name, status: 200 } : { name: '404.html', status: 404 };
}

function sendUnbuilt(ctx: ApiContext): void {
  ctx.status = 503;
  ctx.set({ 'cache-control': 'no-store', 'retry-after': String(RETRY_AFTER_SECONDS) });
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = unbuiltGuidesPage(RETRY_AFTER_SECONDS);
}

/** Shown to readers who may not see the installation's own. */
const EXAMPLE_TEMPORAL_URL = 'https://temporal.example.com';

/** Returns a function that replaces the marks of a built file by the addresses of the installation. */
function addressFiller(addresses: GuideAddresses): (text: string) => string {
  const written: Readonly<Record<GuideAddressName, string>> = {
    api: safeAddress(addresses.api),
    gateway: safeAddress(addresses.gateway),
    temporal: safeAddress(addresses.temporal ?? EXAMPLE_TEMPORAL_URL),
  };
  return (text) => text.replace(addressMark, (_, name: GuideAddressName) => written[name]);
}

/**
 * Marks are in HTML, scripts, JSON and shell commands. Characters with a meaning in any of them are percent-encoded, so
 * that an address needs no other escaping.
 */
function safeAddress(address: string): string {
  const { href } = new URL(address);
  return (href.endsWith('/') ? href.slice(0, -1) : href).replace(/[^\w:/.~%[\]@+,-]/gu, (character) => {
    return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
}

/** Reloads itself, because `npm start` builds the guides beside other work. */
const unbuiltGuidesPage = (retryAfterSeconds: number): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>Guides · Messaging channels</title>
</head>
<body>
<h1>The guides are not built yet</h1>
<p>This page reloads when they are. If nothing builds them, run <code>npm run build</code> in the installation folder.</p>
<ul>
<li><a href="/docs">API reference</a></li>
<li><a href="/app">Dashboard</a></li>
</ul>
</body>
</html>
`;
