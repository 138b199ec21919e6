import { z } from 'zod';
import { alertCallTypes, MAX_CALLED_ALERTS } from '../../contract/notifications/notification.ts';
import { alertKindNames, alertSeverities } from '../../contract/alerts/kinds.ts';
import { idField, instantField, namedObject, urlField } from '../definitions/fields.ts';
import { hmacRotationInput } from '../webhooks/schema.ts';
import { alertSchema } from './schema.ts';

const kindsField = z.array(z.enum(alertKindNames)).min(1).max(alertKindNames.length).nullable();

export const alertWebhookInput = namedObject('AlertWebhookInput', {
  url: urlField,
  enabled: z.boolean().default(true),
  minSeverity: z.enum(alertSeverities).default('warning'),
  kinds: kindsField.default(null).describe('Null for all kinds.'),
});

const lastDeliverySchema = namedObject('AlertWebhookDelivery', {
  callId: idField('alertCall', 'The call, which is its `webhook-id`.'),
  type: z.enum(alertCallTypes),
  at: instantField.describe('When it was last attempted.'),
  attempts: z.int().min(1),
  outcome: z
    .enum(['delivered', 'retrying', 'failed', 'skipped'])
    .describe('`failed`: all attempts failed. `skipped`: ended before another attempt.'),
  status: z.int().nullable().describe('HTTP status of the response; null without a response.'),
  error: z.string().nullable().describe('Why there was no response, such as `connect_refused`.'),
  nextAttemptAt: instantField.nullable(),
});
export type AlertWebhookDeliveryBody = z.output<typeof lastDeliverySchema>;

export const alertWebhookSchema = namedObject('AlertWebhook', {
  organizationId: idField('organization', 'The organization.'),
  url: urlField.nullable().describe('Null if no alert webhook is set.'),
  enabled: z.boolean(),
  minSeverity: z.enum(alertSeverities),
  kinds: kindsField.describe('Null for all kinds.'),
  previousSecretExpiresAt: instantField
    .nullable()
    .describe('Until then, calls also carry the signature of the previous secret.'),
  createdAt: instantField.nullable(),
  updatedAt: instantField.nullable(),
  lastDelivery: lastDeliverySchema.nullable().describe('The call that was last attempted, also a test.'),
});
export type AlertWebhookBody = z.output<typeof alertWebhookSchema>;

const secretField = z.string().regex(/^whsec_/);

export const savedAlertWebhookSchema = alertWebhookSchema
  .extend({
    secret: secretField
      .nullable()
      .describe('The secret that signs the calls, shown once: null unless this call created the webhook.'),
  })
  .meta({ id: 'SavedAlertWebhook' });

export const alertSecretRotationInput = namedObject('AlertWebhookSecretRotationInput', {
  overlapSeconds: hmacRotationInput.shape.overlapSeconds.describe(
    'How long calls also carry the signature of the previous secret. 0 revokes it immediately.',
  ),
});

export const rotatedAlertSecretSchema = namedObject('RotatedAlertWebhookSecret', {
  organizationId: idField('organization', 'The organization.'),
  secret: secretField.describe('Shown once.'),
  previousSecretExpiresAt: instantField
    .nullable()
    .describe('When the previous secret expires; null if it was revoked immediately.'),
});

export const alertWebhookTestSchema = namedObject('AlertWebhookTest', { delivery: lastDeliverySchema });

/** The body of a call, for receivers. */
export const alertCallSchema = namedObject('AlertCall', {
  id: idField('alertCall', 'Equal in all attempts, and in the header `webhook-id`.'),
  type: z.enum(alertCallTypes),
  createdAt: instantField,
  organizationId: idField('organization', 'The organization.'),
  count: z.int().min(1).describe(`All alerts of the call. At most ${MAX_CALLED_ALERTS} are listed.`),
  alerts: z.array(alertSchema).max(MAX_CALLED_ALERTS).describe('Critical ones first.'),
});
