import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type Router from '@koa/router';
import type { ApiDeps } from '../deps.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { docsPage, docsScript, homePage } from './pages.ts';

/** Only our own files, and never inline code: a description in the document can't become a script. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  // Without its charset the browser takes the bundle for Latin-1, and it does not parse.
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const packages = createRequire(import.meta.url);

/** The API's description, for machines and for people; all of it served from here. */
export function mountDocsRoutes(router: Router<ApiState>, { baseUrl, temporalUiUrl }: ApiDeps): void {
  const document = JSON.stringify(openApiDocument({ baseUrl }));

  router.get('/openapi.json', (ctx) => {
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = document;
  });
  router.get('/', (ctx) => sendPage(ctx, homePage({ temporalUiUrl })));
  router.get('/docs', (ctx) => sendPage(ctx, docsPage));
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = docsScript;
  });
  for (const [name, type] of Object.entries(assets)) {
    const file = packages.resolve(`swagger-ui-dist/${name}`);
    router.get(`/docs/${name}`, (ctx) => {
      ctx.type = type;
      ctx.set('cache-control', 'public, max-age=3600');
      ctx.body = createReadStream(file);
    });
  }
}

function sendPage(ctx: ApiContext, html: string): void {
  ctx.set('content-security-policy', DOCS_POLICY);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
