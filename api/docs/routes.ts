import { createReadStream } from 'node:fs';
import type Router from '@koa/router';
import type { ApiDeps } from '../requests/deps.ts';
import { openApiText } from '../../openapi/document/open-api-document.ts';
import type { ApiContext, ApiState } from '../requests/state.ts';
import { docsPage, docsScript } from './pages.ts';

/** No inline code, so that descriptions can't run as scripts. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Without the charset, browsers can't parse the script. */
const assets = [
  {
    name: 'swagger-ui.css',
    type: 'text/css; charset=utf-8',
    url: import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  },
  {
    name: 'swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    url: import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  },
  { name: 'favicon-32x32.png', type: 'image/png', url: import.meta.resolve('swagger-ui-dist/favicon-32x32.png') },
];

export function mountDocsRoutes(router: Router<ApiState>, { baseUrl, deployment }: ApiDeps): void {
  // Built at the start, because building it blocks all other requests for a quarter of a second.
  const document = openApiText({ baseUrl, deployment });

  router.get('/openapi.json', (ctx) => {
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = document;
  });
  router.get('/docs', (ctx) => sendPage(ctx, docsPage));
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = docsScript;
  });
  for (const { name, type, url } of assets) {
    router.get(`/docs/${name}`, (ctx) => {
      ctx.type = type;
      ctx.set('cache-control', 'public, max-age=3600');
      ctx.body = createReadStream(new URL(url));
    });
  }
}

function sendPage(ctx: ApiContext, html: string): void {
  ctx.set('content-security-policy', DOCS_POLICY);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}
