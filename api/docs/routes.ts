import { join } from 'node:path';
import type Router from '@koa/router';
import { openApiText } from '../../openapi/document/open-api-document.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { RouteNotFound } from '../requests/errors.ts';
import type { ApiContext, ApiState } from '../requests/state.ts';
import { pageSlugs, type ReferenceDocument } from './reference/document.ts';
import { html } from './reference/html.ts';
import { referencePage, type ReferencePage } from './reference/pages.ts';
import { compressText } from './sites/compress.ts';
import { policyOf } from './sites/policy.ts';
import { mountAssets, sendEncoded } from './sites/send-file.ts';
import { siteFiles, type SiteManifest } from './sites/site-files.ts';

const REFERENCE_FOLDER = join(import.meta.dirname, '../../dist/reference');

const POLICY = policyOf();

export function mountDocsRoutes(router: Router<ApiState>, deps: ApiDeps): void {
  const { baseUrl, deployment } = deps;
  // Building it takes a third of a second, which most processes never need.
  const document = compressText(() => openApiText({ baseUrl, deployment }));
  const files = siteFiles(deps.referenceFolder ?? REFERENCE_FOLDER);

  router.get('/openapi.json', async (ctx) => {
    ctx.type = 'application/json; charset=utf-8';
    ctx.set('cache-control', 'no-cache');
    sendEncoded(ctx, await document.encodedFor((encoding) => Boolean(ctx.acceptsEncodings(encoding))));
  });
  let kept = { manifest: files.manifest(), pages: new Map<string, ReturnType<typeof compressText>>() };

  router.get(['/docs', '/docs/:chapter'], async (ctx) => {
    const chapter = ctx.params['chapter'] ?? '';
    if (!pageSlugs.has(chapter)) return sendMissing(ctx, files.manifest());
    const manifest = files.manifest();
    if (kept.manifest !== manifest) kept = { manifest, pages: new Map() };
    const page = kept.pages.get(chapter) ?? compressText(() => pageText(manifest, chapter));
    kept.pages.set(chapter, page);
    ctx.set({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' });
    ctx.type = 'text/html; charset=utf-8';
    sendEncoded(ctx, await page.encodedFor((encoding) => Boolean(ctx.acceptsEncodings(encoding))));
  });
  mountAssets(router, '/docs/assets', files);

  function pageText(manifest: SiteManifest | undefined, chapter: string): string {
    if (!manifest) return unbuiltPage;
    const document = JSON.parse(openApiText({ baseUrl, deployment })) as ReferenceDocument;
    return builtPage(manifest, referencePage(document, chapter));
  }
}

/** A browser gets a page with a way back, and a program the error of any other unknown path. */
function sendMissing(ctx: ApiContext, manifest: SiteManifest | undefined): void {
  if (ctx.accepts('json', 'html') !== 'html') throw new RouteNotFound();
  ctx.status = 404;
  ctx.set({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
  ctx.vary('accept');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = `${headOf('Page not found', manifest ? looksOf(manifest) : '')}<main id="main"><h1>Page not found</h1>
<p>The API reference has no such page. Open the <a href="/docs">API reference</a> or the <a href="/guides/">guides</a>.</p></main>
</body>
</html>
`;
}

const headOf = (title: string, links: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Messaging channels</title>
${links}</head>
<body>
`;

function looksOf({ theme, style, icon }: SiteManifest): string {
  const chooseTheme = theme === undefined ? '' : `<script src="/docs/assets/${theme}"></script>\n`;
  return `<link rel="icon" type="image/svg+xml" href="/docs/assets/${icon}">
${chooseTheme}<link rel="stylesheet" href="/docs/assets/${style}">
`;
}

function builtPage(manifest: SiteManifest, { title, body }: ReferencePage): string {
  return `${headOf(
    html`${title}`.text,
    `${looksOf(manifest)}<script type="module" src="/docs/assets/${manifest.script}"></script>\n`,
  )}<a class="skip" href="#main">Skip to the content</a>
<nav class="site-links" aria-label="Site"><button type="button" id="toggle" aria-controls="contents" aria-expanded="false">Contents</button> <a href="/docs"><strong>API reference</strong></a> <a href="/">Dashboard</a> <a href="/guides/">Guides</a> <a href="/openapi.json">OpenAPI document</a></nav>
${body.text}
</body>
</html>
`;
}

const unbuiltPage = `${headOf('API reference', '')}<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in the installation folder, then reload this page. The API works without it.</p>
<p><a href="/openapi.json">OpenAPI document</a></p>
</body>
</html>
`;
