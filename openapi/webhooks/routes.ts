import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { destinationTestInput, destinationTestSchema, misfittingTest } from '../destinations/test-routes.ts';
import {
  hmacRotationInput,
  rotatedHmacSchema,
  webhookConfigInput,
  webhookConfigQuery,
  webhookConfigSchema,
  webhookHmacSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

const reading = byScope('webhook.manage', { within: 'header' });
const managing = byScope('webhook.manage', { within: 'header', role: 'admin' });

export const webhookRoutes = defineRoutes('Webhook destination', {
  getWebhookConfig: {
    route: 'GET /webhook-config/{ch}',
    summary: "Returns the channel's webhook",
    remarks: '`webhookUrl` is null if none is set. The result of the last probes is included.',
    access: reading,
    reveals: ['verify_token'],
    answer: webhookConfigSchema,
  },
  putWebhookConfig: {
    route: 'PUT /webhook-config/{ch}',
    summary: "Sets the channel's webhook after two successful probes of its URL",
    description: 'If a probe fails, nothing is saved, and `lastVerification` of the webhook says what was found.',
    access: managing,
    share: 'interactive',
    reveals: ['verify_token'],
    query: webhookConfigQuery,
    body: webhookConfigInput,
    answer: webhookConfigSchema,
    errors: ['WEBHOOK_CONFIG_CHANGED', 'WEBHOOK_URL_VERIFICATION_FAILED', 'URL_NOT_ALLOWED', ...workflowErrors],
  },
  deleteWebhookConfig: {
    route: 'DELETE /webhook-config/{ch}',
    summary: "Deletes the channel's webhook",
    description: 'Its waiting deliveries are cancelled.',
    access: managing,
  },
  getWebhookHmac: {
    route: 'GET /webhook-config/{ch}/hmac',
    summary: 'Returns the signing secret',
    remarks: 'Receivers check signatures with it.',
    access: { ...reading, alsoScope: 'channel.reveal', role: 'developer' },
    reveals: ['webhook_secret'],
    answer: webhookHmacSchema,
  },
  rotateWebhookHmac: {
    route: 'POST /webhook-config/{ch}/rotate-hmac',
    summary: 'Rotates the signing secret',
    description: 'Deliveries carry the signatures of both secrets during the overlap.',
    access: { ...managing, alsoScope: 'channel.reveal' },
    reveals: ['webhook_secret'],
    body: hmacRotationInput,
    idempotent: true,
    answer: rotatedHmacSchema,
  },
  testWebhook: {
    route: 'POST /webhook-config/{ch}/test',
    summary: 'Sends a test event to the webhook and returns the attempt',
    remarks: 'The test event is signed like a real one. It is not retried and no delivery.',
    access: managing,
    share: 'interactive',
    body: destinationTestInput,
    problems: misfittingTest,
    answer: destinationTestSchema,
    errors: ['WEBHOOK_NOT_SET', ...workflowErrors],
  },
});
