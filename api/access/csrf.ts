import { Forbidden } from '../requests/errors.ts';
import type { ApiContext } from '../requests/state.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** `none` is a request that no page initiated. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Refuses a cookie-authenticated change unless a page of this service sent it. Pages can't forge `Sec-Fetch-Site`;
 * older browsers send `Origin`. Signing in needs no check: foreign pages can't send its JSON body.
 */
export function refuseForeignPages(ctx: ApiContext, { baseUrl }: { baseUrl: string }): void {
  if (SAFE_METHODS.has(ctx.method) || comesFromOwnPage(ctx, baseUrl)) return;
  throw new Forbidden('A session cookie can change data only from a page of this service.');
}

function comesFromOwnPage(ctx: ApiContext, baseUrl: string): boolean {
  const site = ctx.get('sec-fetch-site');
  return site === '' ? ctx.get('origin') === new URL(baseUrl).origin : OWN_SITES.has(site);
}
