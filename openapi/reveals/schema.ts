import { z } from 'zod';
import { DEFAULT_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { errorCodes, type ErrorCode } from '../../contract/errors.ts';
import { secretKinds } from '../../contract/identity/secret-kinds.ts';
import { apiKeySchema } from '../organizations/api-key-schema.ts';
import { overlapField } from '../channels/token-schema.ts';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';

const channelIdField = idField('channel', 'The channel.');
const kindField = z
  .enum(secretKinds)
  .meta({ description: 'What opens the gateway, signs deliveries or answers probes.' });

export const revealListQuery = z.strictObject(pageQuery);

const revealSchema = z
  .strictObject({
    channelId: channelIdField,
    workspaceId: idField('workspace', 'The workspace that holds the channel.'),
    displayName: z.string().meta({ description: 'Of the channel.' }),
    kind: kindField,
    revealedTo: z
      .string()
      .meta({ description: 'Who has read it: a person (usr_), an API key (key_) or an agent credential (ac_).' }),
    firstRevealedAt: instantField,
    lastRevealedAt: instantField,
    revealCount: z.int().min(1),
    current: z
      .boolean()
      .meta({ description: 'Whether this very secret is still the present one, so that rotating it would help.' }),
    endsAt: instantField.nullable().meta({
      description: 'Of a secret that was rotated: until when it is valid. Null: it is the present one, or has ended.',
    }),
  })
  .meta({ id: 'SecretReveal' });
export type SecretRevealBody = z.output<typeof revealSchema>;

export const revealListSchema = z
  .strictObject({ reveals: z.array(revealSchema), nextCursor: nextCursorField })
  .meta({ id: 'SecretRevealList' });

/** Each of them may take a workflow. */
export const MAX_ROTATIONS = 50;

export const revealedRotationInput = z
  .strictObject({
    overlapSeconds: overlapField(
      `How long the secrets so far stay valid; ${DEFAULT_OVERLAP_SECONDS} unless given, 0 ends them at once.`,
    ),
    channels: z
      .array(channelIdField)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Only secrets of these channels; of all channels unless given.' }),
  })
  .meta({ id: 'RevealedRotationInput' });

const errorCodeField = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);
/**
 * `rotated`: a new secret has taken its place. `ended`: an agent's own token ends and nothing takes its place.
 * `needs_save`: a verify token changes by saving the webhook with another one. `failed`: see `code`.
 */
const rotationStatuses = ['rotated', 'ended', 'needs_save', 'failed'] as const;

const revealedRotationSchema = z
  .strictObject({
    channelId: channelIdField,
    kind: kindField,
    status: z.enum(rotationStatuses).meta({
      description:
        "rotated: a new secret took its place. ended: it was an agent's own token, which ends without a successor. " +
        'needs_save: save the webhook with another verify token. failed: see code.',
    }),
    endsAt: instantField
      .nullable()
      .meta({ description: 'Until when the secret so far is valid; null where it has ended.' }),
    code: errorCodeField.nullable().meta({ description: 'Why it was not rotated; null unless it failed.' }),
  })
  .meta({ id: 'RevealedRotation' });
export type RevealedRotationBody = z.output<typeof revealedRotationSchema>;

export const revealedRotationListSchema = z
  .strictObject({
    rotations: z.array(revealedRotationSchema),
    remaining: z
      .int()
      .min(0)
      .meta({ description: `Secrets beyond the ${MAX_ROTATIONS} that one call rotates: call again until it is 0.` }),
  })
  .meta({ id: 'RevealedRotationList' });

const memberKeySchema = apiKeySchema
  .omit({ keyPrefix: true, keySuffix: true })
  .extend({
    relation: z
      .enum(['made', 'revealed'])
      .meta({ description: 'Whether the person made the key, or was shown one that somebody else made.' }),
  })
  .meta({ id: 'MemberKey' });
export type MemberKeyBody = z.output<typeof memberKeySchema>;

export const memberKeyListSchema = z
  .strictObject({ keys: z.array(memberKeySchema), nextCursor: nextCursorField })
  .meta({ id: 'MemberKeyList' });

export const keyRevocationInput = z
  .strictObject({
    keyIds: z
      .array(idField('apiKey', 'A key that the person made or was shown.'))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'All valid keys that the person made unless given.' }),
  })
  .meta({ id: 'MemberKeyRevocationInput' });
export const keyRevocationSchema = z
  .strictObject({ revokedKeyIds: z.array(idField('apiKey', 'A key that ended now.')) })
  .meta({ id: 'MemberKeyRevocation' });
