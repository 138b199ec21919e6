import { defineRoutes } from '../definitions/define-routes.ts';
import { healthSchema, readinessSchema } from './health-schema.ts';
import { openAccess } from '../definitions/route-definition.ts';

export const healthRoutes = defineRoutes('Health', {
  getHealth: {
    route: 'GET /healthz',
    summary: 'Says that the process is up',
    access: openAccess,
    answer: healthSchema,
  },
  getReadiness: {
    route: 'GET /readyz',
    summary: 'Says whether the process can serve: its database answers and has its schema',
    access: openAccess,
    answer: readinessSchema,
    otherAnswers: { 503: readinessSchema },
  },
});
