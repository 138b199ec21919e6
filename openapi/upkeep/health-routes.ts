import { healthSchema, readinessSchema } from './health-schema.ts';
import type { RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Health';
const open = { auth: 'none' } as const;

export const healthRoutes = {
  getHealth: {
    operationId: 'getHealth',
    summary: 'Says that the process is up',
    tag,
    method: 'get',
    path: '/healthz',
    parameters: {},
    access: open,
    success: { status: 200, body: healthSchema },
    errors: [],
  },
  getReadiness: {
    operationId: 'getReadiness',
    summary: 'Says whether the process can serve: its database answers and has its schema',
    tag,
    method: 'get',
    path: '/readyz',
    parameters: {},
    access: open,
    success: { status: 200, body: readinessSchema },
    otherAnswers: { 503: readinessSchema },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
