import type { Route } from '../routes/route.ts';

/**
 * The pages of a portal. Their addresses continue as those of a workspace do, so that links between pages work in both.
 * Each must work for a member, and ask only routes that admit portals.
 */
export const portalRoutes: readonly Route[] = [
  portalRoute('/portal/:ptl', () => import('./portal/portal-channels-page.tsx')),
  portalRoute('/portal/:ptl/channels/:ch', () => import('./portal/portal-channel-page.tsx')),
  portalRoute('/portal/:ptl/channels/:ch/subscriptions', () => import('./subscriptions/subscriptions-page.tsx')),
  portalRoute('/portal/:ptl/deliveries', () => import('./portal/portal-deliveries-page.tsx')),
  portalRoute('/portal/:ptl/deliveries/:wd', () => import('./deliveries/delivery-page.tsx')),
  portalRoute('/portal/:ptl/replays', () => import('./replays/replay-list-page.tsx')),
  portalRoute('/portal/:ptl/replays/new', () => import('./replays/new-replay-page.tsx')),
  portalRoute('/portal/:ptl/replays/:rpl', () => import('./replays/replay-page.tsx')),
];

function portalRoute(path: string, load: () => Promise<unknown>): Route {
  // The shell adds the ids of organization and workspace to the parameters.
  return { path, load: load as Route['load'], signInNotice: null };
}
