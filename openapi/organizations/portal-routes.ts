import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, byScope, notAgents, openAccess } from '../definitions/route-definition.ts';
import {
  brandingInput,
  brandingSchema,
  createdPortalLinkSchema,
  portalLinkInput,
  portalLinkListQuery,
  portalLinkListSchema,
  portalSessionInput,
  portalSessionSchema,
} from './portal-schema.ts';

/** A link is a credential for other people. */
const granting = byScope('credentials.manage', { within: 'workspace', role: 'admin' });

export const portalRoutes = defineRoutes('Portal', {
  createPortalLink: {
    route: 'POST /workspaces/{ws}/portal-links',
    summary: 'Creates a short-lived link to a page with the channels of one customer',
    description:
      'The page can be embedded in a frame. A limited credential needs the scopes of the rights that it grants. A link ' +
      'ends when its creator could no longer create it: with the key, or with the role of the person.',
    access: granting,
    body: portalLinkInput,
    status: 201,
    answer: createdPortalLinkSchema,
    errors: ['CHANNEL_NOT_FOUND', 'LIMIT_REACHED'],
  },
  listPortalLinks: {
    route: 'GET /workspaces/{ws}/portal-links',
    summary: "Lists a workspace's portal links of the last week, newest first",
    remarks: 'With the number of uses. Their URLs are not shown again.',
    access: granting,
    query: portalLinkListQuery,
    answer: portalLinkListSchema,
  },
  revokePortalLink: {
    route: 'DELETE /workspaces/{ws}/portal-links/{ptl}',
    summary: 'Revokes a portal link',
    description: 'Its sessions end immediately.',
    access: granting,
  },
  startPortalSession: {
    route: 'POST /portal/session',
    summary: 'Exchanges the secret of a portal link for a session',
    description: 'The page of the link calls this. The session ends with the link.',
    access: openAccess,
    body: portalSessionInput,
    answer: portalSessionSchema,
    errors: ['AUTH_REQUIRED'],
  },
  getBranding: {
    route: 'GET /organizations/{org}/branding',
    summary: 'Returns how pages for customers show the organization',
    remarks: 'Null values mean the name of the organization and the colors of the service.',
    access: { ...byScope('workspace.read', { within: 'organization' }), admitsLimited: true },
    answer: brandingSchema,
  },
  putBranding: {
    route: 'PUT /organizations/{org}/branding',
    summary: 'Sets how pages for customers show the organization',
    description: 'Replaces all fields; a missing one is reset.',
    // Customers trust the name they read.
    access: byPrincipals(notAgents, { within: 'organization', role: 'admin' }),
    body: brandingInput,
    answer: brandingSchema,
    errors: ['URL_NOT_ALLOWED'],
  },
});
