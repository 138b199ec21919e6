import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';
import { personExportInput, personExportLine } from './export-schema.ts';

export const exportRoutes = defineRoutes('Erasures', {
  exportPerson: {
    route: 'POST /organizations/{org}/person-exports',
    summary: 'Exports everything that is stored about a sender, as JSON lines',
    description:
      'The response is a file with one record per line. It is complete if its last line has the type `end`; otherwise ' +
      'repeat the request. An erasure of the same sender removes the same records. An organization has one export at a time.',
    access: byPrincipals(notAgents, { within: 'organization', role: 'admin' }),
    body: personExportInput,
    isForPeople: true,
    answer: 'file',
    lines: personExportLine,
    errors: ['WORKSPACE_NOT_FOUND', 'CHANNEL_NOT_FOUND'],
  },
});
