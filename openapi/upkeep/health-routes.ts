import { defineRoutes } from '../definitions/define-routes.ts';
import { healthSchema, readinessSchema } from './health-schema.ts';
import { openAccess } from '../definitions/route-definition.ts';

export const healthRoutes = defineRoutes('Health', {
  getHealth: {
    route: 'GET /healthz',
    summary: 'Reports that the process is running',
    remarks: 'Does not check the database. Use it for restarts.',
    access: openAccess,
    answer: healthSchema,
  },
  getReadiness: {
    route: 'GET /readyz',
    summary: 'Reports whether the process can serve requests',
    description:
      'Checks that the database is reachable and migrated, and reports whether Temporal has the namespace of this installation.',
    access: openAccess,
    answer: readinessSchema,
    otherAnswers: { 503: readinessSchema },
  },
});
