import { join } from 'node:path';
import type Router from '@koa/router';
import { openApiText } from '../../openapi/document/open-api-document.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { RouteNotFound } from '../requests/errors.ts';
import type { ApiState } from '../requests/state.ts';
import type { ReferenceDocument } from './reference/document.ts';
import { html } from './reference/html.ts';
import { referencePages, type ReferencePage } from './reference/pages.ts';
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
  let built:
    { readonly manifest: SiteManifest | undefined; readonly pages: ReturnType<typeof compressedPages> } | undefined;
  const pagesFor = (manifest: SiteManifest | undefined) => {
    if (built?.manifest !== manifest || !built)
      built = { manifest, pages: compressedPages(openApiText({ baseUrl, deployment }), manifest) };
    return built.pages;
  };

  router.get(['/docs', '/docs/:chapter'], async (ctx) => {
    const page = pagesFor(files.manifest()).get(ctx.params['chapter'] ?? '');
    if (!page) throw new RouteNotFound();
    ctx.set({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' });
    ctx.type = 'text/html; charset=utf-8';
    sendEncoded(ctx, await page.encodedFor((encoding) => Boolean(ctx.acceptsEncodings(encoding))));
  });
  mountAssets(router, '/docs/assets', files);
}

/** The pages by their chapter. The start has the empty one. */
function compressedPages(documentText: string, manifest: SiteManifest | undefined) {
  const pages = [...referencePages(JSON.parse(documentText) as ReferenceDocument)];
  const textOf = (page: ReferencePage): string => (manifest ? referencePage(manifest, page) : unbuiltReferencePage);
  return new Map(pages.map(([chapter, page]) => [chapter, compressText(() => textOf(page))]));
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

function referencePage({ script, theme, style, icon }: SiteManifest, { title, body }: ReferencePage): string {
  const chooseTheme = theme === undefined ? '' : `<script src="/docs/assets/${theme}"></script>\n`;
  return `${headOf(
    html`${title}`.text,
    `<link rel="icon" type="image/svg+xml" href="/docs/assets/${icon}">
${chooseTheme}<link rel="stylesheet" href="/docs/assets/${style}">
<script type="module" src="/docs/assets/${script}"></script>
`,
  )}<a class="skip" href="#main">Skip to the content</a>
<nav class="site-links" aria-label="Site"><button type="button" id="toggle" aria-controls="contents" aria-expanded="false">Contents</button> <a href="/docs"><strong>API reference</strong></a> <a href="/">Dashboard</a> <a href="/guides/">Guides</a> <a href="/openapi.json">OpenAPI document</a></nav>
${body.text}
</body>
</html>
`;
}

const unbuiltReferencePage = `${headOf('API reference', '')}<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> in the installation folder, then reload this page. The API works without it.</p>
<p><a href="/openapi.json">OpenAPI document</a></p>
</body>
</html>
`;
