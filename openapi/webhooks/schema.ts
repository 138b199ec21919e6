import { z } from 'zod';
import { MAX_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { disabledReasonField, pendingField } from '../definitions/destination-fields.ts';
import { idField, instantField, noControlCharacters, urlField } from '../definitions/fields.ts';
import { webhookProbesField } from './probe-schema.ts';

/** White space around a token would be lost: the probe's answer is compared without it. */
const verifyTokenField = z
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
      .meta({ description: 'Used for the ownership probe only. Left out, the stored one is kept.' }),
  })
  .meta({ id: 'WebhookConfigInput' });

export const webhookConfigQuery = z.strictObject({ pending: pendingField.optional() });

export const webhookConfigSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    webhookUrl: urlField.nullable().meta({ description: 'Null where no webhook is set.' }),
    verifyToken: z.string().nullable().meta({
      description: 'Null where no webhook is set, and for callers who may not see secrets and have not sent it.',
    }),
    verifiedAt: instantField.nullable().meta({ description: 'When both probes last passed.' }),
    updatedAt: instantField.nullable(),
    disabledReason: disabledReasonField,
  })
  .meta({ id: 'WebhookConfig' });
export type WebhookConfigBody = z.output<typeof webhookConfigSchema>;

export const savedWebhookConfigSchema = webhookConfigSchema
  .extend({ probes: webhookProbesField })
  .meta({ id: 'SavedWebhookConfig' });

export const webhookHmacSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    hmacSecret: z
      .string()
      .regex(/^whsec_/)
      .meta({ description: 'WEBHOOK_HMAC_SECRET, which signs deliveries.' }),
  })
  .meta({ id: 'WebhookHmac' });

export const hmacRotationInput = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(0)
      .meta({ description: 'How long deliveries are signed with the secret so far too; 0 cuts it at once.' }),
  })
  .meta({ id: 'WebhookHmacRotationInput' });

export const rotatedHmacSchema = webhookHmacSchema
  .extend({
    previousSecretExpiresAt: instantField
      .nullable()
      .meta({ description: 'When the secret before ends; null where it was cut at once.' }),
  })
  .meta({ id: 'RotatedWebhookHmac' });
