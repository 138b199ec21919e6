import { z } from 'zod';
import { DEFAULT_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { type ErrorCode, statusByErrorCode } from '../../contract/errors.ts';
import { secretKinds } from '../../contract/identity/secret-kinds.ts';
import { apiKeySchema } from '../organizations/api-key-routes.ts';
import { overlapField } from '../channels/token-schema.ts';
import { idField, instantField, listQuery, namedObject, namedPage } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, byScope, notAgents } from '../definitions/route-definition.ts';

const channelIdField = idField('channel', 'The channel.');
const kindField = z.enum(secretKinds).describe('The gateway token, the signing secret or the verify token.');

const revealSchema = namedObject('SecretReveal', {
  channelId: channelIdField,
  workspaceId: idField('workspace', 'The workspace that holds the channel.'),
  displayName: z.string().describe('Name of the channel.'),
  kind: kindField,
  revealedTo: z.string().describe('The reader: a person (usr_), an API key (key_) or an agent credential (ac_).'),
  firstRevealedAt: instantField,
  lastRevealedAt: instantField,
  revealCount: z.int().min(1),
  current: z.boolean().describe('Whether this secret is still in use, so that you should rotate it.'),
  endsAt: instantField
    .nullable()
    .describe('When a rotated secret expires. Null if the secret is current or has expired.'),
});
const revealListSchema = namedPage('SecretRevealList', { reveals: revealSchema });

/** Each rotation can require a workflow. */
export const MAX_ROTATIONS = 50;

const revealedRotationInput = namedObject('RevealedRotationInput', {
  overlapSeconds: overlapField(
    `How long the previous secrets stay valid; ${DEFAULT_OVERLAP_SECONDS} by default. 0 revokes them immediately.`,
  ),
  channels: z.array(channelIdField).min(1).max(100).optional().describe('Filters by channel; all channels by default.'),
});

const errorCodeField = z.enum(Object.keys(statusByErrorCode) as [ErrorCode, ...ErrorCode[]]);
const rotationStatuses = ['rotated', 'ended', 'needs_save', 'failed'] as const;

const revealedRotationSchema = namedObject('RevealedRotation', {
  channelId: channelIdField,
  kind: kindField,
  status: z
    .enum(rotationStatuses)
    .describe(
      '`rotated`: a new secret replaced it. `ended`: the own token of an agent or a limited key, which has no successor. ' +
        '`needs_save`: the verify token of a webhook; save it with another one. `failed`: see `code`.',
    ),
  endsAt: instantField.nullable().describe('When the previous secret expires; null if it has expired.'),
  code: errorCodeField.nullable().describe('Why the rotation failed, or null.'),
});
export type RevealedRotationBody = z.output<typeof revealedRotationSchema>;

const revealedRotationListSchema = namedObject('RevealedRotationList', {
  rotations: z.array(revealedRotationSchema),
  remaining: z
    .int()
    .min(0)
    .describe(`Secrets beyond the ${MAX_ROTATIONS} that one request rotates. Repeat the request until it is 0.`),
});

const memberKeySchema = apiKeySchema
  .omit({ workspaceIds: true, allowedCidrs: true })
  .omit({ keyPrefix: true, keySuffix: true })
  .extend({
    relation: z
      .enum(['made', 'revealed'])
      .describe('Whether the person created the key or has seen a key of another person.'),
  })
  .meta({ id: 'MemberKey' });
const memberKeyListSchema = namedPage('MemberKeyList', { keys: memberKeySchema });

const keyRevocationInput = namedObject('MemberKeyRevocationInput', {
  keyIds: z
    .array(idField('apiKey', 'A key that the person created or has seen.'))
    .min(1)
    .max(100)
    .optional()
    .describe('The keys to revoke; all valid keys that the person created by default.'),
});
const keyRevocationSchema = namedObject('MemberKeyRevocation', {
  revokedKeyIds: z.array(idField('apiKey', 'A revoked key.')),
});

const managingMembers = byPrincipals(notAgents, { within: 'organization', role: 'admin' });

export const revealRoutes = {
  ...defineRoutes('Agents', {
    listCredentialReveals: {
      route: 'GET /agent/credentials/{ac}/reveals',
      summary: 'Lists the secrets that an agent has read, newest first',
      description: 'Includes revoked credentials.',
      access: byScope('credentials.manage', { within: 'person' }),
      query: listQuery,
      answer: revealListSchema,
    },
    rotateCredentialReveals: {
      route: 'POST /agent/credentials/{ac}/rotate-revealed',
      summary: 'Rotates the secrets that an agent has read',
      description: "Rotates current secrets and revokes the agent's own channel tokens.",
      access: byPrincipals(notAgents, { within: 'person' }),
      share: 'interactive',
      body: revealedRotationInput,
      isForPeople: true,
      answer: revealedRotationListSchema,
    },
  }),
  ...defineRoutes('Members', {
    listMemberReveals: {
      route: 'GET /organizations/{org}/members/{usr}/reveals',
      summary: 'Lists the secrets that a person, their keys and their agents have read',
      description: 'Includes people who have left.',
      access: managingMembers,
      query: listQuery,
      answer: revealListSchema,
    },
    rotateMemberReveals: {
      route: 'POST /organizations/{org}/members/{usr}/rotate-revealed',
      summary: 'Rotates the current secrets that a person, their keys or their agents have read',
      remarks: 'Do it when a person leaves. Repeat it until `remaining` is 0.',
      access: managingMembers,
      share: 'interactive',
      body: revealedRotationInput,
      isForPeople: true,
      answer: revealedRotationListSchema,
    },
    listMemberKeys: {
      route: 'GET /organizations/{org}/members/{usr}/keys',
      summary: 'Lists the valid API keys that a person created or has seen, newest first',
      description: 'Includes people who have left.',
      access: managingMembers,
      query: listQuery,
      answer: memberKeyListSchema,
    },
    revokeMemberKeys: {
      route: 'POST /organizations/{org}/members/{usr}/revoke-keys',
      summary: 'Revokes API keys of a person',
      description: 'Revokes all keys that the person created, or the given ones.',
      access: byPrincipals(['user'], { within: 'organization', role: 'admin' }),
      body: keyRevocationInput,
      answer: keyRevocationSchema,
      errors: ['CREDENTIAL_NOT_FOUND'],
    },
  }),
};
