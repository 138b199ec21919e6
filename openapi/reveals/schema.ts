import { z } from 'zod';
import { DEFAULT_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { statusByErrorCode, type ErrorCode } from '../../contract/errors.ts';
import { secretKinds } from '../../contract/identity/secret-kinds.ts';
import { apiKeySchema } from '../organizations/api-key-schema.ts';
import { overlapField } from '../channels/token-schema.ts';
import { idField, instantField, namedObject, nextCursorField, pageQuery } from '../definitions/fields.ts';

const channelIdField = idField('channel', 'The channel.');
const kindField = z.enum(secretKinds).describe('The gateway token, the signing secret or the verify token.');

export const revealListQuery = z.strictObject(pageQuery);

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
export type SecretRevealBody = z.output<typeof revealSchema>;

export const revealListSchema = namedObject('SecretRevealList', {
  reveals: z.array(revealSchema),
  nextCursor: nextCursorField,
});

/** Each rotation can require a workflow. */
export const MAX_ROTATIONS = 50;

export const revealedRotationInput = namedObject('RevealedRotationInput', {
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

export const revealedRotationListSchema = namedObject('RevealedRotationList', {
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
export type MemberKeyBody = z.output<typeof memberKeySchema>;

export const memberKeyListSchema = namedObject('MemberKeyList', {
  keys: z.array(memberKeySchema),
  nextCursor: nextCursorField,
});

export const keyRevocationInput = namedObject('MemberKeyRevocationInput', {
  keyIds: z
    .array(idField('apiKey', 'A key that the person created or has seen.'))
    .min(1)
    .max(100)
    .optional()
    .describe('The keys to revoke; all valid keys that the person created by default.'),
});
export const keyRevocationSchema = namedObject('MemberKeyRevocation', {
  revokedKeyIds: z.array(idField('apiKey', 'A revoked key.')),
});
