import { defineRoutes } from '../definitions/define-routes.ts';
import { auditListQuery, auditListSchema } from './schema.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';

export const auditRoutes = defineRoutes('Audit log', {
  listAuditEntries: {
    route: 'GET /organizations/{org}/audit-entries',
    summary: "Lists the organization's security-relevant actions, newest first",
    remarks:
      "Filter by action, actor and time. Sends and publications are in each channel's outbound calls, with their credential.",
    isSlowRead: true,
    access: byPrincipals(notAgents, { within: 'organization', role: 'admin' }),
    query: auditListQuery,
    answer: auditListSchema,
  },
});
