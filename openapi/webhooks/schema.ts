import { z } from 'zod';
import { MAX_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { disabledReasonField, pendingField } from '../definitions/destination-fields.ts';
import { idField, instantField, namedObject, noControlCharacters, urlField } from '../definitions/fields.ts';
import { webhookVerificationSchema } from './probe-schema.ts';

/** The probe compares trimmed bodies. */
export const verifyTokenField = z
  .string()
  .min(1)
  .max(512)
  .regex(noControlCharacters, 'must have no control characters')
  .regex(/^\S(?:.*\S)?$/, 'must not begin or end with white space');

export const webhookConfigInput = namedObject('WebhookConfigInput', {
  webhookUrl: urlField,
  verifyToken: verifyTokenField
    .optional()
    .describe("Used only by the ownership probe. Default: the channel's verify token."),
});

export const webhookConfigQuery = z.strictObject({ pending: pendingField.optional() });

export const webhookConfigSchema = namedObject('WebhookConfig', {
  channelId: idField('channel', 'The channel.'),
  webhookUrl: urlField.nullable().describe('Null if no webhook is set.'),
  verifyToken: z
    .string()
    .nullable()
    .describe('Every channel has one. Null for callers who cannot see secrets and did not send it.'),
  verifiedAt: instantField.nullable().describe('When both probes last passed.'),
  updatedAt: instantField.nullable(),
  disabledReason: disabledReasonField,
  lastVerification: webhookVerificationSchema
    .nullable()
    .describe(
      'What the probes of the last finished save found, also if it was refused. Null if there was none within the ' +
        'retention period.',
    ),
});
export const webhookHmacSchema = namedObject('WebhookHmac', {
  channelId: idField('channel', 'The channel.'),
  hmacSecret: z
    .string()
    .regex(/^whsec_/)
    .describe('The secret that signs deliveries (WEBHOOK_HMAC_SECRET).'),
});

export const hmacRotationInput = namedObject('WebhookHmacRotationInput', {
  overlapSeconds: z
    .int()
    .min(0)
    .max(MAX_OVERLAP_SECONDS)
    .default(0)
    .describe('How long deliveries also carry the signature of the previous secret. 0 revokes it immediately.'),
});

export const rotatedHmacSchema = webhookHmacSchema
  .extend({
    previousSecretExpiresAt: instantField
      .nullable()
      .describe('When the previous secret expires; null if it was revoked immediately.'),
  })
  .meta({ id: 'RotatedWebhookHmac' });
