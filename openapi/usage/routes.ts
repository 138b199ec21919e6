import { scopeErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import { MAX_CSV_ROWS, unusableSpan, usageQuery, usageSchema } from './schema.ts';

const reading = byScope('workspace.read', { within: 'organization', role: 'admin' });

export const usageRoutes = defineRoutes('Usage', {
  getUsage: {
    route: 'GET /organizations/{org}/usage',
    summary: 'Returns what an organization, its workspaces or channels were used for, by day or month',
    description: 'Counts outlive the events that they count.',
    isSlowRead: true,
    access: reading,
    query: usageQuery,
    problems: unusableSpan,
    answer: usageSchema,
    errors: scopeErrors,
  },
  exportUsage: {
    route: 'GET /organizations/{org}/usage/csv',
    summary: 'Returns the usage as a CSV file',
    description: `At most ${MAX_CSV_ROWS} rows. The header names the fields of the JSON response.`,
    isSlowRead: true,
    access: reading,
    query: usageQuery,
    problems: unusableSpan,
    answer: 'file',
    fileType: 'text/csv',
    errors: scopeErrors,
  },
});
