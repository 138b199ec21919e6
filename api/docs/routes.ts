import { join } from 'node:path';
import type Router from '@koa/router';
import { openApiText } from '../../openapi/document/open-api-document.ts';
import type { ApiDeps } from '../requests/deps.ts';
import type { ApiState } from '../requests/state.ts';
import { referencePage, unbuiltReferencePage } from './pages.ts';
import { compressText } from './sites/compress.ts';
import { policyOf } from './sites/policy.ts';
import { mountAssets, sendEncoded } from './sites/send-file.ts';
import { siteFiles } from './sites/site-files.ts';

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
