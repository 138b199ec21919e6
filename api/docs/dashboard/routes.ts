import { join } from 'node:path';
import type Router from '@koa/router';
import { opaqueTokenHash } from '../../../db/core/opaque-tokens.ts';
import { findLiveSession } from '../../../db/people/sessions.ts';
import { isStaff } from '../../../db/people/users.ts';
import { readSessionCookie } from '../../access/session-cookie.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import type { ApiContext, ApiState } from '../../requests/state.ts';
import { type TemporalUi, temporalUiOf } from '../../routing/temporal-links.ts';
import { policyOf } from '../sites/policy.ts';
import { mountAssets } from '../sites/send-file.ts';
import { siteFiles, type SiteFiles } from '../sites/site-files.ts';
import { shellPage, unbuiltPage } from './pages.ts';
import { isId } from '../../../contract/ids.ts';
import { findPortalFrame } from '../../../db/organizations/branding.ts';

const POLICY = policyOf();
export const BUILT_FOLDER = join(import.meta.dirname, '../../../dashboard/dist');

interface DashboardConfig {
  readonly deployment: ApiDeps['deployment'];
  readonly temporalUi: TemporalUi | null;
  readonly traceUrlTemplate: string | null;
  readonly hasSimulator: boolean;
}

export function mountDashboard(router: Router<ApiState>, deps: ApiDeps): void {
  const files = siteFiles(deps.dashboardFolder ?? BUILT_FOLDER);

  router.get('/app/config.json', async (ctx) => {
    ctx.set('cache-control', 'no-store');
    ctx.body = await configFor(ctx, deps);
  });
  router.get(['/', '/app', '/app/', '/app/*path'], (ctx) => {
    const manifest = files.manifest();
    ctx.set({ 'cache-control': 'no-store', 'content-security-policy': POLICY });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = manifest ? shellPage(manifest) : unbuiltPage;
  });
  mountPortalPage(router, deps, files);
  mountAssets(router, '/assets', files);
}

async function configFor(ctx: ApiContext, deps: ApiDeps): Promise<DashboardConfig> {
  const { deployment, traceUrlTemplate = null } = deps;
  const ui = temporalUiOf(deps);
  const hasLinks = ui !== null || traceUrlTemplate !== null;
  const maySee = hasLinks && (deployment === 'development' || (await isStaffSession(ctx, deps)));
  const hasSimulator = deployment === 'development' && isLoopback(deps.platformOAuth.oauthUrl);
  return maySee
    ? { deployment, temporalUi: ui, traceUrlTemplate, hasSimulator }
    : { deployment, temporalUi: null, traceUrlTemplate: null, hasSimulator };
}

/** The real platform is never on this machine. */
function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

async function isStaffSession(ctx: ApiContext, deps: ApiDeps): Promise<boolean> {
  const { db, tokenSalt } = deps;
  const token = readSessionCookie(ctx, deps);
  const session = token && (await findLiveSession(db, opaqueTokenHash(tokenSalt, 'session', token)));
  return session ? await isStaff(db, session.userId) : false;
}

/**
 * The only pages that others may show in a frame. The address names the link, because its secret is in the fragment,
 * which browsers don't send.
 */
function mountPortalPage(router: Router<ApiState>, deps: ApiDeps, files: SiteFiles): void {
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
