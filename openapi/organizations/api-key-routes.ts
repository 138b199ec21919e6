import { defineRoutes } from '../definitions/define-routes.ts';
import {
  apiKeyInput,
  apiKeyListQuery,
  apiKeyListSchema,
  createdApiKeySchema,
  pastExpiry,
  revealedApiKeySchema,
} from './api-key-schema.ts';
import { byPrincipals } from '../definitions/route-definition.ts';

/** People only: a key that creates keys would outlive its own revocation. */
const inSession = byPrincipals(['user'], { within: 'organization', role: 'admin' });

export const apiKeyRoutes = defineRoutes('API keys', {
  createApiKey: {
    route: 'POST /organizations/{org}/keys',
    summary: 'Makes an API key with full access to the organization',
    access: inSession,
    body: apiKeyInput,
    problems: pastExpiry,
    status: 201,
    answer: createdApiKeySchema,
    errors: ['LIMIT_REACHED'],
  },
  listApiKeys: {
    route: 'GET /organizations/{org}/keys',
    summary: "Lists the keys that are not revoked, agents' keys too, newest first; none is shown in full",
    access: inSession,
    query: apiKeyListQuery,
    answer: apiKeyListSchema,
  },
  revealApiKey: {
    route: 'POST /organizations/{org}/keys/{key}/reveal',
    summary: "Shows a key in full; never an agent's key, which speaks for a person",
    access: inSession,
    answer: revealedApiKeySchema,
  },
  revokeApiKey: {
    route: 'DELETE /organizations/{org}/keys/{key}',
    summary: 'Ends a key at once',
    access: inSession,
  },
});
