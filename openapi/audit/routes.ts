import { auditListQuery, auditListSchema } from './schema.ts';
import type { RouteDefinition } from '../definitions/route-definition.ts';
import { overPeople } from '../people/member-routes.ts';

export const auditRoutes = {
  listAuditEntries: {
    operationId: 'listAuditEntries',
    summary: 'Lists what was done in the organization that matters to its security, newest first',
    tag: 'Audit log',
    method: 'get',
    path: '/organizations/{org}/audit-entries',
    parameters: { org: { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' } },
    access: overPeople,
    query: auditListQuery,
    success: { status: 200, body: auditListSchema },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
