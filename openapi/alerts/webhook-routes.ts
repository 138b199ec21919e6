import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import {
  alertSecretRotationInput,
  alertWebhookInput,
  alertWebhookSchema,
  alertWebhookTestSchema,
  rotatedAlertSecretSchema,
  savedAlertWebhookSchema,
} from './webhook-schema.ts';

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
