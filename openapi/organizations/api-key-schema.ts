import { z } from 'zod';
import type { UnvalidatedInput } from '../definitions/route-definition.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { isCidr } from '../../contract/addresses/classify-address.ts';
import { MAX_KEY_CIDRS, MAX_KEY_WORKSPACES } from '../../contract/identity/key-limits.ts';
import {
  givenInstant,
  idField,
  instantField,
  namedObject,
  nameInput,
  nextCursorField,
  pageQuery,
} from '../definitions/fields.ts';

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

export const apiKeyInput = namedObject('ApiKeyInput', {
  name: nameInput,
  expiresAt: expiryInput.optional().describe('Must be in the future.'),
  scopes: scopesInput.optional().describe('What the key can do. Omit for full access.'),
  workspaceIds: workspacesInput
    .optional()
    .describe('The only workspaces that the key can reach. Omit for the whole organization.'),
  allowedCidrs: cidrsInput.optional().describe('The only addresses that can use the key. Omit for any address.'),
});

export const apiKeyPatch = namedObject('ApiKeyPatch', {
  name: nameInput.optional(),
  expiresAt: expiryInput.nullable().optional().describe('In the future, or null for no end.'),
  scopes: scopesInput.optional().describe('Some of the present ones.'),
  workspaceIds: workspacesInput.optional().describe('Some of the present ones.'),
  allowedCidrs: cidrsInput.nullable().optional().describe('Null allows any address.'),
});

export function pastExpiry({ body, nowMs }: UnvalidatedInput): string[] {
  const { expiresAt } = body;
  const isPast = typeof expiresAt === 'string' && Date.parse(expiresAt) <= nowMs;
  return isPast ? ['body.expiresAt: must be in the future'] : [];
}

export const createdApiKeySchema = namedObject('CreatedApiKey', {
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
export type ApiKeyBody = z.output<typeof apiKeySchema>;

export const apiKeyListQuery = z.strictObject(pageQuery);
export const apiKeyListSchema = namedObject('ApiKeyList', { keys: z.array(apiKeySchema), nextCursor: nextCursorField });

export const revealedApiKeySchema = namedObject('RevealedApiKey', { keyId: keyIdField, apiKey: z.string() });
