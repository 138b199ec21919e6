import { z } from 'zod';
import type { UnvalidatedInput } from '../definitions/route-definition.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { idField, instantField, nextCursorField, pageQuery, noControlCharacters } from '../definitions/fields.ts';

const keyIdField = idField('apiKey', 'The key.');
const expiryField = instantField.nullable().meta({ description: 'Null if the key is valid until it is revoked.' });

export const apiKeyInput = z.strictObject({
  name: z.string().trim().min(1).max(200).regex(noControlCharacters, 'must have no control characters'),
  expiresAt: z.iso.datetime({ offset: true }).optional().meta({ description: 'Must be in the future.' }),
});

export function pastExpiry({ body, nowMs }: UnvalidatedInput): string[] {
  const { expiresAt } = body;
  const isPast = typeof expiresAt === 'string' && Date.parse(expiresAt) <= nowMs;
  return isPast ? ['body.expiresAt: must be in the future'] : [];
}

export const createdApiKeySchema = z
  .strictObject({
    keyId: keyIdField,
    apiKey: z.string().meta({ description: 'The key, `hmok_…`.' }),
    organizationPublicId: idField('organization', 'The organization of the key.'),
    name: z.string(),
    expiresAt: expiryField,
    createdAt: instantField,
  })
  .meta({ id: 'CreatedApiKey' });

export const apiKeySchema = z
  .strictObject({
    keyId: keyIdField,
    agentCredentialId: idField(
      'agentCredential',
      'The agent credential, if an agent obtained the key by email code.',
    ).nullable(),
    name: z.string(),
    keyPrefix: z.string().meta({ description: 'The first 14 characters.' }),
    keySuffix: z.string().meta({ description: 'The last 4 characters.' }),
    scopes: z.array(z.enum(scopes)).nullable().meta({ description: 'Null for full access to the organization.' }),
    createdAt: instantField,
    expiresAt: expiryField,
    lastUsedAt: instantField.nullable().meta({ description: 'Accurate to half a minute.' }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyBody = z.output<typeof apiKeySchema>;

export const apiKeyListQuery = z.strictObject(pageQuery);
export const apiKeyListSchema = z
  .strictObject({ keys: z.array(apiKeySchema), nextCursor: nextCursorField })
  .meta({ id: 'ApiKeyList' });

export const revealedApiKeySchema = z
  .strictObject({ keyId: keyIdField, apiKey: z.string() })
  .meta({ id: 'RevealedApiKey' });
