import { z } from 'zod';
import { namedObject } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { openAccess } from '../definitions/route-definition.ts';

const healthSchema = namedObject('Health', { status: z.literal('ok') });

const readinessSchema = namedObject('Readiness', {
  status: z.enum(['ready', 'not_ready']),
  database: z.enum(['ok', 'unreachable', 'not_migrated']),
  temporal: z
    .enum(['ok', 'unreachable', 'refused', 'namespace_missing', 'namespace_foreign'])
    .describe(
      'For information: events are accepted in every state. `refused`: the server does not accept the credential. `namespace_foreign`: the namespace belongs to another installation. At most five seconds old.',
    ),
  workers: z
    .enum(['ok', 'missing', 'unknown'])
    .describe(
      'For information: events are accepted in every state. `missing`: no worker serves some of the deliveries, which wait. `unknown`: the database does not say. At most five seconds old.',
    ),
});
export type ReadinessBody = z.output<typeof readinessSchema>;

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
      'Checks that the database is reachable and migrated, and reports whether Temporal has the namespace of this installation and whether workers deliver.',
    access: openAccess,
    answer: readinessSchema,
    otherAnswers: { 503: readinessSchema },
  },
});
