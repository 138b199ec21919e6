import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';
import { erasureInput, erasureListQuery, erasureListSchema, erasureSchema, erasureStartedSchema } from './schema.ts';

const managing = byPrincipals(notAgents, { within: 'organization', role: 'admin' });

export const erasureRoutes = defineRoutes('Erasures', {
  createErasure: {
    route: 'POST /organizations/{org}/erasures',
    summary: 'Erases the data of an event, a sender or a workspace before its retention ends',
    description:
      'Empties bodies, senders and responses and cancels waiting deliveries. States and counts stay. It cannot be undone.',
    access: managing,
    body: erasureInput,
    isForPeople: true,
    status: 202,
    answer: erasureStartedSchema,
    errors: ['EVENT_NOT_FOUND', 'CHANNEL_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'LIMIT_REACHED', 'READ_TOO_SLOW'],
  },
  listErasures: {
    route: 'GET /organizations/{org}/erasures',
    summary: 'Lists the erasures of an organization, newest first',
    remarks: 'With their progress.',
    access: managing,
    query: erasureListQuery,
    answer: erasureListSchema,
  },
  getErasure: {
    route: 'GET /organizations/{org}/erasures/{ers}',
    summary: 'Returns an erasure with its progress and report',
    remarks: 'The report counts what was erased.',
    access: managing,
    answer: erasureSchema,
  },
});
