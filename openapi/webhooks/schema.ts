import { z } from 'zod';
import { MAX_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { disabledReasonField, pendingField } from '../definitions/destination-fields.ts';
import { idField, instantField, noControlCharacters, urlField } from '../definitions/fields.ts';
import { webhookVerificationSchema } from './probe-schema.ts';

/** The probe compares trimmed bodies. */
export const verifyTokenField = z
  .string()
  .min(1)
  .max(512)
  .regex(noControlCharacters, 'must have no control characters')
  .regex(/^\S(?:.*\S)?$/, 'must not begin or end with white space');

export const webhookConfigInput = z
  .strictObject({
    webhookUrl: urlField,
    verifyToken: verifyTokenField
      .optional()
      .meta({ description: "Used only by the ownership probe. Default: the channel's verify token." }),
  })
  .meta({ id: 'WebhookConfigInput' });

export const webhookConfigQuery = z.strictObject({ pending: pendingField.optional() });

export const webhookConfigSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    webhookUrl: urlField.nullable().meta({ description: 'Null if no webhook is set.' }),
    verifyToken: z.string().nullable().meta({
      description: 'Every channel has one. Null for callers who cannot see secrets and did not send it.',
    }),
    verifiedAt: instantField.nullable().meta({ description: 'When both probes last passed.' }),
    updatedAt: instantField.nullable(),
    disabledReason: disabledReasonField,
    lastVerification: webhookVerificationSchema.nullable().meta({
      description:
        'What the probes of the last finished save found, also if it was refused. Null if there was none within the ' +
        'retention period.',
    }),
  })
  .meta({ id: 'WebhookConfig' });
export type WebhookConfigBody = z.output<typeof webhookConfigSchema>;

export const webhookHmacSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    hmacSecret: z
      .string()
      .regex(/^whsec_/)
      .meta({ description: 'The secret that signs deliveries (WEBHOOK_HMAC_SECRET).' }),
  })
  .meta({ id: 'WebhookHmac' });

export const hmacRotationInput = z
  .strictObject({
    overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(0).meta({
      description: 'How long deliveries also carry the signature of the previous secret. 0 revokes it immediately.',
    }),
  })
  .meta({ id: 'WebhookHmacRotationInput' });

export const rotatedHmacSchema = webhookHmacSchema
  .extend({
    previousSecretExpiresAt: instantField
      .nullable()
      .meta({ description: 'When the previous secret expires; null if it was revoked immediately.' }),
  })
  .meta({ id: 'RotatedWebhookHmac' });
