import {
  apiKeyInput,
  apiKeyListQuery,
  apiKeyListSchema,
  createdApiKeySchema,
  pastExpiry,
  revealedApiKeySchema,
} from './api-key-schema.ts';
import type { RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'API keys';
const org = { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' } as const;
const key = { kind: 'apiKey', notFound: 'CREDENTIAL_NOT_FOUND' } as const;
/** A key that makes keys would outlive its own revocation. */
const inSession = {
  auth: 'credential',
  principals: ['user'],
  scope: null,
  within: 'organization',
  role: 'admin',
} as const;

export const apiKeyRoutes = {
  createApiKey: {
    operationId: 'createApiKey',
    summary: 'Makes an API key with full access to the organization',
    tag,
    method: 'post',
    path: '/organizations/{org}/keys',
    parameters: { org },
    access: inSession,
    body: apiKeyInput,
    problems: pastExpiry,
    success: { status: 201, body: createdApiKeySchema },
    errors: ['LIMIT_REACHED'],
  },
  listApiKeys: {
    operationId: 'listApiKeys',
    summary: "Lists the keys that are not revoked, agents' keys too, newest first; none is shown in full",
    tag,
    method: 'get',
    path: '/organizations/{org}/keys',
    parameters: { org },
    access: inSession,
    query: apiKeyListQuery,
    success: { status: 200, body: apiKeyListSchema },
    errors: [],
  },
  revealApiKey: {
    operationId: 'revealApiKey',
    summary: "Shows a key in full; never an agent's key, which speaks for a person",
    tag,
    method: 'post',
    path: '/organizations/{org}/keys/{key}/reveal',
    parameters: { org, key },
    access: inSession,
    success: { status: 200, body: revealedApiKeySchema },
    errors: [],
  },
  revokeApiKey: {
    operationId: 'revokeApiKey',
    summary: 'Ends a key at once',
    tag,
    method: 'delete',
    path: '/organizations/{org}/keys/{key}',
    parameters: { org, key },
    access: inSession,
    success: { status: 204, body: null },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
