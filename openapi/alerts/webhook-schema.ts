import { z } from 'zod';
import { alertCallTypes, MAX_CALLED_ALERTS } from '../../contract/notifications/notification.ts';
import { alertKindNames, alertSeverities } from '../../contract/alerts/kinds.ts';
import { idField, instantField, urlField } from '../definitions/fields.ts';
import { hmacRotationInput } from '../webhooks/schema.ts';
import { alertSchema } from './schema.ts';

const kindsField = z.array(z.enum(alertKindNames)).min(1).max(alertKindNames.length).nullable();

export const alertWebhookInput = z
  .strictObject({
    url: urlField,
    enabled: z.boolean().default(true),
    minSeverity: z.enum(alertSeverities).default('warning'),
    kinds: kindsField.default(null).meta({ description: 'Null for all kinds.' }),
  })
  .meta({ id: 'AlertWebhookInput' });

const lastDeliverySchema = z
  .strictObject({
    callId: idField('alertCall', 'The call, which is its `webhook-id`.'),
    type: z.enum(alertCallTypes),
    at: instantField.meta({ description: 'When it was last attempted.' }),
    attempts: z.int().min(1),
    outcome: z
      .enum(['delivered', 'retrying', 'failed', 'skipped'])
      .meta({ description: '`failed`: all attempts failed. `skipped`: ended before another attempt.' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the response; null without a response.' }),
    error: z.string().nullable().meta({ description: 'Why there was no response, such as `connect_refused`.' }),
    nextAttemptAt: instantField.nullable(),
  })
  .meta({ id: 'AlertWebhookDelivery' });
export type AlertWebhookDeliveryBody = z.output<typeof lastDeliverySchema>;

export const alertWebhookSchema = z
  .strictObject({
    organizationId: idField('organization', 'The organization.'),
    url: urlField.nullable().meta({ description: 'Null if no alert webhook is set.' }),
    enabled: z.boolean(),
    minSeverity: z.enum(alertSeverities),
    kinds: kindsField.meta({ description: 'Null for all kinds.' }),
    previousSecretExpiresAt: instantField
      .nullable()
      .meta({ description: 'Until then, calls also carry the signature of the previous secret.' }),
    createdAt: instantField.nullable(),
    updatedAt: instantField.nullable(),
    lastDelivery: lastDeliverySchema.nullable().meta({ description: 'The call that was last attempted, also a test.' }),
  })
  .meta({ id: 'AlertWebhook' });
export type AlertWebhookBody = z.output<typeof alertWebhookSchema>;

const secretField = z.string().regex(/^whsec_/);

export const savedAlertWebhookSchema = alertWebhookSchema
  .extend({
    secret: secretField
      .nullable()
      .meta({ description: 'The secret that signs the calls, shown once: null unless this call created the webhook.' }),
  })
  .meta({ id: 'SavedAlertWebhook' });

export const alertSecretRotationInput = z
  .strictObject({
    overlapSeconds: hmacRotationInput.shape.overlapSeconds.meta({
      description: 'How long calls also carry the signature of the previous secret. 0 revokes it immediately.',
    }),
  })
  .meta({ id: 'AlertWebhookSecretRotationInput' });

export const rotatedAlertSecretSchema = z
  .strictObject({
    organizationId: idField('organization', 'The organization.'),
    secret: secretField.meta({ description: 'Shown once.' }),
    previousSecretExpiresAt: instantField
      .nullable()
      .meta({ description: 'When the previous secret expires; null if it was revoked immediately.' }),
  })
  .meta({ id: 'RotatedAlertWebhookSecret' });

export const alertWebhookTestSchema = z.strictObject({ delivery: lastDeliverySchema }).meta({ id: 'AlertWebhookTest' });

/** The body of a call, for receivers. */
export const alertCallSchema = z
  .strictObject({
    id: idField('alertCall', 'Equal in all attempts, and in the header `webhook-id`.'),
    type: z.enum(alertCallTypes),
    createdAt: instantField,
    organizationId: idField('organization', 'The organization.'),
    count: z
      .int()
      .min(1)
      .meta({ description: `All alerts of the call. At most ${MAX_CALLED_ALERTS} are listed.` }),
    alerts: z.array(alertSchema).max(MAX_CALLED_ALERTS).meta({ description: 'Critical ones first.' }),
  })
  .meta({ id: 'AlertCall' });
