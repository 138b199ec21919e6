import { Forbidden } from '../requests/errors.ts';
import type { ApiContext } from '../requests/state.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The browser's word that the page is one of ours, or that no page was involved. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Refuses a request that changes something by a cookie alone, unless the browser says that one of our own pages sent
 * it: `Sec-Fetch-Site` can't be forged by a page, and older browsers send `Origin` with every such request. Signing in
 * needs no such check: its JSON body is one that a foreign page can't send without asking first, and is refused then.
 */
export function refuseForeignPages(ctx: ApiContext, { baseUrl }: { baseUrl: string }): void {
  if (SAFE_METHODS.has(ctx.method) || comesFromOwnPage(ctx, baseUrl)) return;
  throw new Forbidden('By its cookie, a session changes something from a page of this service only.');
}

function comesFromOwnPage(ctx: ApiContext, baseUrl: string): boolean {
  const site = ctx.get('sec-fetch-site');
  return site === '' ? ctx.get('origin') === new URL(baseUrl).origin : OWN_SITES.has(site);
}
