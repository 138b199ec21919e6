import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';
import { scheduledByKeySchema, scheduledCancellationsSchema } from './by-key-schema.ts';

/** Like the revocation of a key. */
const inSession = byPrincipals(['user'], { within: 'organization', role: 'admin' });
const aboutCredentials = byPrincipals(notAgents, { within: 'person' });

const listing = {
  description: 'Works after the revocation, too. Lists messages and posts that have not begun, the first due first.',
  isForPeople: true,
  answer: scheduledByKeySchema,
} as const;
const cancelling = {
  description: 'Works after the revocation, too. Reports an outcome for each message and post.',
  remarks: 'Do it after the revocation. Repeat it until `remaining` is 0.',
  isForPeople: true,
  answer: scheduledCancellationsSchema,
} as const;

export const scheduledByKeyRoutes = {
  ...defineRoutes('API keys', {
    listScheduledByKey: {
      route: 'GET /organizations/{org}/keys/{key}/scheduled',
      summary: 'Lists what an API key has scheduled',
      ...listing,
      access: inSession,
    },
    cancelScheduledByKey: {
      route: 'POST /organizations/{org}/keys/{key}/cancel-scheduled',
      summary: 'Cancels what an API key has scheduled',
      ...cancelling,
      access: inSession,
    },
  }),
  ...defineRoutes('Agents', {
    listScheduledByCredential: {
      route: 'GET /agent/credentials/{ac}/scheduled',
      summary: 'Lists what an agent has scheduled, in workspaces that you can see',
      ...listing,
      access: aboutCredentials,
    },
    cancelScheduledByCredential: {
      route: 'POST /agent/credentials/{ac}/cancel-scheduled',
      summary: 'Cancels what an agent has scheduled, in workspaces that you can see',
      ...cancelling,
      access: aboutCredentials,
    },
  }),
};
