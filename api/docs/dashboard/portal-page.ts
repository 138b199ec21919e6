import type Router from '@koa/router';
import { isId } from '../../../contract/ids.ts';
import { findPortalFrame } from '../../../db/organizations/branding.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import type { ApiState } from '../../requests/state.ts';
import { policyOf } from '../sites/policy.ts';
import type { SiteFiles } from '../sites/site-files.ts';
import { shellPage, unbuiltPage } from './pages.ts';

/**
 * The only pages that others may show in a frame. The address names the link, because its secret is in the fragment,
 * which browsers don't send.
 */
export function mountPortalPage(router: Router<ApiState>, deps: ApiDeps, files: SiteFiles): void {
  router.get(['/portal/:ptl', '/portal/:ptl/*path'], async (ctx) => {
    const { ptl = '' } = ctx.params;
    const frame = isId('portalLink', ptl) ? await findPortalFrame(deps.db, ptl) : undefined;
    const { logoUrl = null, portalFrameAncestors: frameAncestors = [] } = frame ?? {};
    const manifest = files.manifest();
    ctx.set({ 'cache-control': 'no-store', 'content-security-policy': policyOf({ logoUrl, frameAncestors }) });
    // Older browsers would refuse the allowed origins, too.
    if (frameAncestors.length > 0) ctx.remove('x-frame-options');
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = manifest ? shellPage(manifest) : unbuiltPage;
  });
}
