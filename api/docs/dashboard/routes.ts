import { join } from 'node:path';
import type Router from '@koa/router';
import { opaqueTokenHash } from '../../../db/core/opaque-tokens.ts';
import { findLiveSession } from '../../../db/people/sessions.ts';
import { isStaff } from '../../../db/people/users.ts';
import { comesFromOwnPage } from '../../access/authenticate.ts';
import { readSessionCookie } from '../../access/session-cookie.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { Forbidden, RouteNotFound, ServiceUnavailable } from '../../requests/errors.ts';
import type { ApiContext, ApiState } from '../../requests/state.ts';
import { type TemporalUi, temporalUiOf } from '../../routing/temporal-links.ts';
import { policyOf } from '../sites/policy.ts';
import { mountAssets } from '../sites/send-file.ts';
import { siteFiles, type SiteFiles } from '../sites/site-files.ts';
import { shellPage, unbuiltPage } from './pages.ts';
import { isId } from '../../../contract/ids.ts';
import { findPortalFrame } from '../../../db/organizations/branding.ts';

const POLICY = policyOf();
const SIMULATOR_DEADLINE_MS = 10_000;
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
  // Staff who type the address of the API mean the page.
  router.get('/staff', (ctx) => {
    if (ctx.accepts(['json', 'html']) !== 'html') throw new RouteNotFound();
    ctx.redirect('/app/staff');
  });
  mountPortalPage(router, deps, files);
  if (hasSimulator(deps)) mountSimulator(router, deps);
  mountAssets(router, '/assets', files);
}

async function configFor(ctx: ApiContext, deps: ApiDeps): Promise<DashboardConfig> {
  const { deployment, traceUrlTemplate = null } = deps;
  const ui = temporalUiOf(deps);
  const hasLinks = ui !== null || traceUrlTemplate !== null;
  const maySee = hasLinks && (deployment === 'development' || (await isStaffSession(ctx, deps)));
  return maySee
    ? { deployment, temporalUi: ui, traceUrlTemplate, hasSimulator: hasSimulator(deps) }
    : { deployment, temporalUi: null, traceUrlTemplate: null, hasSimulator: hasSimulator(deps) };
}

/** Sends a message from a simulated customer, so that a first delivery needs no terminal. */
function mountSimulator(router: Router<ApiState>, deps: ApiDeps): void {
  const { origin } = new URL(deps.platformOAuth.oauthUrl);
  router.post('/app/simulated-messages/:product/:resourceId', async (ctx) => {
    if (!comesFromOwnPage(ctx, deps.baseUrl) || !(await findSession(ctx, deps))) {
      throw new Forbidden('Sign in to the dashboard to send a simulated message.');
    }
    const { product, resourceId } = ctx.params;
    const response = await fetch(`${origin}/control/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ product, kind: 'message', resourceId }),
      signal: AbortSignal.timeout(SIMULATOR_DEADLINE_MS),
    });
    if (!response.ok) throw new ServiceUnavailable('The simulator did not send the message.');
    ctx.status = 204;
  });
}

function hasSimulator({ deployment, platformOAuth }: ApiDeps): boolean {
  return deployment === 'development' && isLoopback(platformOAuth.oauthUrl);
}

/** The real platform is never on this machine. */
function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

async function isStaffSession(ctx: ApiContext, deps: ApiDeps): Promise<boolean> {
  const session = await findSession(ctx, deps);
  return session ? await isStaff(deps.db, session.userId) : false;
}

async function findSession(ctx: ApiContext, deps: ApiDeps) {
  const token = readSessionCookie(ctx, deps);
  return token === undefined
    ? undefined
    : await findLiveSession(deps.db, opaqueTokenHash(deps.tokenSalt, 'session', token));
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
