import { defineRoutes } from '../definitions/define-routes.ts';
import {
  apiKeyInput,
  apiKeyListQuery,
  apiKeyListSchema,
  apiKeyPatch,
  apiKeySchema,
  createdApiKeySchema,
  pastExpiry,
  revealedApiKeySchema,
} from './api-key-schema.ts';
import { byPrincipals } from '../definitions/route-definition.ts';

/** A key that creates keys would outlive its own revocation. */
const inSession = byPrincipals(['user'], { within: 'organization', role: 'admin' });

export const apiKeyRoutes = defineRoutes('API keys', {
  createApiKey: {
    route: 'POST /organizations/{org}/keys',
    summary: 'Creates an API key',
    description:
      'The key has full access to the organization, unless it is limited to scopes, workspaces or client addresses. It ' +
      'belongs to the organization and remains valid when its creator leaves.',
    access: inSession,
    body: apiKeyInput,
    problems: pastExpiry,
    status: 201,
    answer: createdApiKeySchema,
    errors: ['LIMIT_REACHED', 'WORKSPACE_NOT_FOUND'],
  },
  listApiKeys: {
    route: 'GET /organizations/{org}/keys',
    summary: 'Lists the API keys that are not revoked, newest first',
    description: "Includes agents' keys. Keys are shortened.",
    access: inSession,
    query: apiKeyListQuery,
    answer: apiKeyListSchema,
  },
  changeApiKey: {
    route: 'PATCH /organizations/{org}/keys/{key}',
    summary: 'Changes or narrows an API key',
    description:
      'Takes effect immediately, also on open streams. Scopes and workspaces can only be narrowed; for more rights, create ' +
      'another key. Channel tokens that the key obtained lose the removed scopes and workspaces too.',
    access: inSession,
    body: apiKeyPatch,
    problems: pastExpiry,
    answer: apiKeySchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
  revealApiKey: {
    route: 'POST /organizations/{org}/keys/{key}/reveal',
    summary: 'Shows an API key in full',
    description: "Agents' keys cannot be shown.",
    access: inSession,
    answer: revealedApiKeySchema,
  },
  revokeApiKey: {
    route: 'DELETE /organizations/{org}/keys/{key}',
    summary: 'Revokes an API key',
    description: 'The key stops working immediately.',
    access: inSession,
  },
});
