import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import { overviewQuery, overviewSchema } from './overview-schema.ts';

export const overviewRoutes = defineRoutes('Organizations', {
  getOverview: {
    route: 'GET /organizations/{org}/overview',
    summary: 'Returns the deliveries of the last 24 hours and what needs attention',
    description:
      'Covers the workspaces that the caller sees: admins of the organization see all, members and keys that are limited ' +
      'to workspaces only theirs.',
    isSlowRead: true,
    access: { ...byScope('deliveries.read', { within: 'organization' }), admitsLimited: true },
    query: overviewQuery,
    answer: overviewSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
});
