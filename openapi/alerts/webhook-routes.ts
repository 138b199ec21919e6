import { z } from 'zod';
import { alertCallTypes, MAX_CALLED_ALERTS } from '../../contract/notifications/notification.ts';
import { alertKindNames, alertSeverities } from '../../contract/alerts/kinds.ts';
import { idField, instantField, namedObject, urlField } from '../definitions/fields.ts';
import { hmacRotationInput } from '../webhooks/schema.ts';
import { alertSchema } from './routes.ts';
import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';

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
const alertWebhookSchema = namedObject('AlertWebhook', {
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

const savedAlertWebhookSchema = alertWebhookSchema
  .extend({
    secret: secretField
      .nullable()
      .describe('The secret that signs the calls, shown once: null unless this call created the webhook.'),
  })
  .meta({ id: 'SavedAlertWebhook' });

const alertSecretRotationInput = namedObject('AlertWebhookSecretRotationInput', {
  overlapSeconds: hmacRotationInput.shape.overlapSeconds.describe(
    'How long calls also carry the signature of the previous secret. 0 revokes it immediately.',
  ),
});

const rotatedAlertSecretSchema = namedObject('RotatedAlertWebhookSecret', {
  organizationId: idField('organization', 'The organization.'),
  secret: secretField.describe('Shown once.'),
  previousSecretExpiresAt: instantField
    .nullable()
    .describe('When the previous secret expires; null if it was revoked immediately.'),
});

const alertWebhookTestSchema = namedObject('AlertWebhookTest', { delivery: lastDeliverySchema });

/** The body of a call, for receivers. */
export const alertCallSchema = namedObject('AlertCall', {
  id: idField('alertCall', 'Equal in all attempts, and in the header `webhook-id`.'),
  type: z.enum(alertCallTypes),
  createdAt: instantField,
  organizationId: idField('organization', 'The organization.'),
  count: z.int().min(1).describe(`All alerts of the call. At most ${MAX_CALLED_ALERTS} are listed.`),
  alerts: z.array(alertSchema).max(MAX_CALLED_ALERTS).describe('Critical ones first.'),
});

const access = byScope('webhook.manage', { within: 'organization', role: 'admin' });
const path = '/organizations/{org}/alert-webhook';

export const alertWebhookRoutes = defineRoutes('Alert webhook', {
  getAlertWebhook: {
    route: `GET ${path}`,
    summary: "Returns the organization's alert webhook and its last delivery",
    remarks: '`url` is null if none is set.',
    access,
    answer: alertWebhookSchema,
  },
  setAlertWebhook: {
    route: `PUT ${path}`,
    summary: 'Sets where the organization gets its alerts by signed calls',
    description: 'Its first secret is returned once. It gets alerts that open from now on.',
    access,
    body: alertWebhookInput,
    answer: savedAlertWebhookSchema,
    errors: ['URL_NOT_ALLOWED'],
  },
  deleteAlertWebhook: {
    route: `DELETE ${path}`,
    summary: "Deletes the organization's alert webhook with its secrets and pending calls",
    remarks: 'Succeeds without an alert webhook, too.',
    access,
  },
  rotateAlertWebhookSecret: {
    route: `POST ${path}/rotate-secret`,
    summary: 'Rotates the secret that signs the calls to the alert webhook',
    description: 'Calls carry the signatures of both secrets during the overlap.',
    access,
    body: alertSecretRotationInput,
    idempotent: true,
    answer: rotatedAlertSecretSchema,
    errors: ['ALERT_WEBHOOK_NOT_SET'],
  },
  testAlertWebhook: {
    route: `POST ${path}/test`,
    summary: 'Sends a test call to the alert webhook and returns its outcome',
    description: 'Also if it is disabled. A test is not repeated.',
    access,
    share: 'interactive',
    answer: alertWebhookTestSchema,
    errors: ['ALERT_WEBHOOK_NOT_SET', ...workflowErrors],
  },
});
