import { z } from 'zod';
import { DEFAULT_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { statusByErrorCode, type ErrorCode } from '../../contract/errors.ts';
import { secretKinds } from '../../contract/identity/secret-kinds.ts';
import { apiKeySchema } from '../organizations/api-key-schema.ts';
import { overlapField } from '../channels/token-schema.ts';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';

const channelIdField = idField('channel', 'The channel.');
const kindField = z
  .enum(secretKinds)
  .meta({ description: 'The gateway token, the signing secret or the verify token.' });

export const revealListQuery = z.strictObject(pageQuery);

const revealSchema = z
  .strictObject({
    channelId: channelIdField,
    workspaceId: idField('workspace', 'The workspace that holds the channel.'),
    displayName: z.string().meta({ description: 'Name of the channel.' }),
    kind: kindField,
    revealedTo: z
      .string()
      .meta({ description: 'The reader: a person (usr_), an API key (key_) or an agent credential (ac_).' }),
    firstRevealedAt: instantField,
    lastRevealedAt: instantField,
    revealCount: z.int().min(1),
    current: z.boolean().meta({ description: 'Whether this secret is still in use, so that you should rotate it.' }),
    endsAt: instantField.nullable().meta({
      description: 'When a rotated secret expires. Null if the secret is current or has expired.',
    }),
  })
  .meta({ id: 'SecretReveal' });
export type SecretRevealBody = z.output<typeof revealSchema>;

export const revealListSchema = z
  .strictObject({ reveals: z.array(revealSchema), nextCursor: nextCursorField })
  .meta({ id: 'SecretRevealList' });

/** Each rotation can require a workflow. */
export const MAX_ROTATIONS = 50;

export const revealedRotationInput = z
  .strictObject({
    overlapSeconds: overlapField(
      `How long the previous secrets stay valid; ${DEFAULT_OVERLAP_SECONDS} by default. 0 revokes them immediately.`,
    ),
    channels: z
      .array(channelIdField)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Filters by channel; all channels by default.' }),
  })
  .meta({ id: 'RevealedRotationInput' });

const errorCodeField = z.enum(Object.keys(statusByErrorCode) as [ErrorCode, ...ErrorCode[]]);
const rotationStatuses = ['rotated', 'ended', 'needs_save', 'failed'] as const;

const revealedRotationSchema = z
  .strictObject({
    channelId: channelIdField,
    kind: kindField,
    status: z.enum(rotationStatuses).meta({
      description:
        '`rotated`: a new secret replaced it. `ended`: the own token of an agent or a limited key, which has no successor. ' +
        '`needs_save`: the verify token of a webhook; save it with another one. `failed`: see `code`.',
    }),
    endsAt: instantField.nullable().meta({ description: 'When the previous secret expires; null if it has expired.' }),
    code: errorCodeField.nullable().meta({ description: 'Why the rotation failed, or null.' }),
  })
  .meta({ id: 'RevealedRotation' });
export type RevealedRotationBody = z.output<typeof revealedRotationSchema>;

export const revealedRotationListSchema = z
  .strictObject({
    rotations: z.array(revealedRotationSchema),
    remaining: z
      .int()
      .min(0)
      .meta({
        description: `Secrets beyond the ${MAX_ROTATIONS} that one request rotates. Repeat the request until it is 0.`,
      }),
  })
  .meta({ id: 'RevealedRotationList' });

const memberKeySchema = apiKeySchema
  .omit({ workspaceIds: true, allowedCidrs: true })
  .omit({ keyPrefix: true, keySuffix: true })
  .extend({
    relation: z
      .enum(['made', 'revealed'])
      .meta({ description: 'Whether the person created the key or has seen a key of another person.' }),
  })
  .meta({ id: 'MemberKey' });
export type MemberKeyBody = z.output<typeof memberKeySchema>;

export const memberKeyListSchema = z
  .strictObject({ keys: z.array(memberKeySchema), nextCursor: nextCursorField })
  .meta({ id: 'MemberKeyList' });

export const keyRevocationInput = z
  .strictObject({
    keyIds: z
      .array(idField('apiKey', 'A key that the person created or has seen.'))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The keys to revoke; all valid keys that the person created by default.' }),
  })
  .meta({ id: 'MemberKeyRevocationInput' });
export const keyRevocationSchema = z
  .strictObject({ revokedKeyIds: z.array(idField('apiKey', 'A revoked key.')) })
  .meta({ id: 'MemberKeyRevocation' });
