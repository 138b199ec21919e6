import { z } from 'zod';
import { byPrincipals, type UnvalidatedInput } from '../definitions/route-definition.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { isCidr } from '../../contract/addresses/classify-address.ts';
import { MAX_KEY_CIDRS, MAX_KEY_WORKSPACES } from '../../contract/identity/key-limits.ts';
import {
  givenInstant,
  idField,
  instantField,
  listQuery,
  namedObject,
  namedPage,
  nameInput,
} from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';

const keyIdField = idField('apiKey', 'The key.');
const limitFields = {
  scopes: z.array(z.enum(scopes)).nullable().describe('Null if not limited to scopes.'),
  workspaceIds: z
    .array(idField('workspace', 'A workspace that the key can reach.'))
    .nullable()
    .describe('Null for the whole organization. Omits deleted workspaces.'),
  allowedCidrs: z.array(z.string()).nullable().describe('Null for any address.'),
};
const expiryField = instantField.nullable().describe('Null if the key is valid until it is revoked.');

const expiryInput = givenInstant;
const scopesInput = z.array(z.enum(scopes)).min(1).max(scopes.length);
const workspacesInput = z
  .array(idField('workspace', 'A workspace of the organization.'))
  .min(1)
  .max(MAX_KEY_WORKSPACES);
const cidrsInput = z
  .array(
    z
      .string()
      .max(49)
      .refine(isCidr, 'must be an IP address or a block such as 192.0.2.0/24 or 2001:db8::/32')
      .meta({ description: 'An IPv4 or IPv6 address or block.', examples: ['192.0.2.0/24'] }),
  )
  .min(1)
  .max(MAX_KEY_CIDRS);

const apiKeyInput = namedObject('ApiKeyInput', {
  name: nameInput,
  expiresAt: expiryInput.optional().describe('Must be in the future.'),
  scopes: scopesInput.optional().describe('What the key can do. Omit for full access.'),
  workspaceIds: workspacesInput
    .optional()
    .describe('The only workspaces that the key can reach. Omit for the whole organization.'),
  allowedCidrs: cidrsInput.optional().describe('The only addresses that can use the key. Omit for any address.'),
});

const apiKeyPatch = namedObject('ApiKeyPatch', {
  name: nameInput.optional(),
  expiresAt: expiryInput.nullable().optional().describe('In the future, or null for no end.'),
  scopes: scopesInput.optional().describe('Some of the present ones.'),
  workspaceIds: workspacesInput.optional().describe('Some of the present ones.'),
  allowedCidrs: cidrsInput.nullable().optional().describe('Null allows any address.'),
});

function pastExpiry({ body, nowMs }: UnvalidatedInput): string[] {
  const { expiresAt } = body;
  const isPast = typeof expiresAt === 'string' && Date.parse(expiresAt) <= nowMs;
  return isPast ? ['body.expiresAt: must be in the future'] : [];
}

const createdApiKeySchema = namedObject('CreatedApiKey', {
  keyId: keyIdField,
  apiKey: z.string().describe('The key, `hmok_…`.'),
  organizationPublicId: idField('organization', 'The organization of the key.'),
  name: z.string(),
  ...limitFields,
  expiresAt: expiryField,
  createdAt: instantField,
});

export const apiKeySchema = namedObject('ApiKey', {
  keyId: keyIdField,
  agentCredentialId: idField(
    'agentCredential',
    'The agent credential, if an agent obtained the key by email code.',
  ).nullable(),
  name: z.string(),
  keyPrefix: z.string().describe('The first 14 characters.'),
  keySuffix: z.string().describe('The last 4 characters.'),
  ...limitFields,
  createdAt: instantField,
  expiresAt: expiryField,
  lastUsedAt: instantField.nullable().describe('Accurate to half a minute.'),
});
const apiKeyListSchema = namedPage('ApiKeyList', { keys: apiKeySchema });

const revealedApiKeySchema = namedObject('RevealedApiKey', { keyId: keyIdField, apiKey: z.string() });

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
    query: listQuery,
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
