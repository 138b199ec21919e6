import { join } from 'node:path';
import type Router from '@koa/router';
import { openApiText } from '../../openapi/document/open-api-document.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { RouteNotFound } from '../requests/errors.ts';
import type { ApiState } from '../requests/state.ts';
import { compressText } from './compress-text.ts';
import { dashboardFiles } from './dashboard/files.ts';
import { sendAsset } from './dashboard/send-asset.ts';
import { referencePage, unbuiltReferencePage } from './pages.ts';

const REFERENCE_FOLDER = join(import.meta.dirname, '../../reference/dist');

/** No inline code and no inline styles, so that descriptions can't run as scripts. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function mountDocsRoutes(router: Router<ApiState>, deps: ApiDeps): void {
  const { baseUrl, deployment } = deps;
  // Built at the start, because building it blocks all other requests for a quarter of a second.
  const document = compressText(openApiText({ baseUrl, deployment }));
  const files = dashboardFiles(deps.referenceFolder ?? REFERENCE_FOLDER);

  router.get('/openapi.json', async (ctx) => {
    ctx.type = 'application/json; charset=utf-8';
    ctx.set('cache-control', 'no-cache');
    sendAsset(ctx, await document.encodedFor((encoding) => Boolean(ctx.acceptsEncodings(encoding))));
  });
  router.get('/docs', (ctx) => {
    const manifest = files.manifest();
    ctx.set({ 'content-security-policy': DOCS_POLICY, 'cache-control': 'no-cache' });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = manifest ? referencePage(manifest) : unbuiltReferencePage;
  });
  router.get('/docs/assets/:name', async (ctx) => {
    const asset = await files.asset(ctx.params.name ?? '', (encoding) => Boolean(ctx.acceptsEncodings(encoding)));
    if (!asset) throw new RouteNotFound();
    ctx.set('cache-control', 'public, max-age=31536000, immutable');
    ctx.type = asset.type;
    sendAsset(ctx, asset);
  });
}
