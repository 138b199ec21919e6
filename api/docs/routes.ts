import { join } from 'node:path';
import type Router from '@koa/router';
import { openApiText } from '../../openapi/document/open-api-document.ts';
import type { ApiDeps } from '../requests/deps.ts';
import type { ApiState } from '../requests/state.ts';
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
  router.get('/docs', (ctx) => {
    const manifest = files.manifest();
    ctx.set({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = manifest ? referencePage(manifest) : unbuiltReferencePage;
  });
  mountAssets(router, '/docs/assets', files);
}

const head = (links: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Messaging channels</title>
${links}</head>
<body>
`;

/** The page of the API reference. The renderer adds the class of the scheme to the body. */
function referencePage({ script, style, icon, preload }: SiteManifest): string {
  const preloads = preload.map((name) => `<link rel="modulepreload" href="/docs/assets/${name}">\n`).join('');
  return `${head(`<link rel="icon" type="image/svg+xml" href="/docs/assets/${icon}">
<link rel="stylesheet" href="/docs/assets/${style}">
${preloads}<script type="module" src="/docs/assets/${script}"></script>
`)}<nav class="site-links" aria-label="Site"><strong>Messaging channels</strong> <a href="/">Dashboard</a> <a href="/guides/">Guides</a> <a href="/openapi.json">OpenAPI document</a></nav>
<div id="docs"></div>
<noscript>This page needs JavaScript. You can also read the OpenAPI document: <a href="/openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;
}

const unbuiltReferencePage = `${head('')}<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in the installation folder, then reload this page. The API works without it.</p>
<p><a href="/openapi.json">OpenAPI document</a></p>
</body>
</html>
`;
