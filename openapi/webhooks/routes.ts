import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { destinationTestSchema } from '../destinations/test-schema.ts';
import {
  hmacRotationInput,
  rotatedHmacSchema,
  savedWebhookConfigSchema,
  webhookConfigInput,
  webhookConfigQuery,
  webhookConfigSchema,
  webhookHmacSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

/** The verify token is shown only to callers who may see secrets. */
const reading = byScope('webhook.manage', { within: 'header' });
const managing = byScope('webhook.manage', { within: 'header', role: 'admin' });

export const webhookRoutes = defineRoutes('Webhook destination', {
  getWebhookConfig: {
    route: 'GET /webhook-config/{ch}',
    summary: "Returns the channel's webhook destination",
    access: reading,
    reveals: ['verify_token'],
    answer: webhookConfigSchema,
  },
  putWebhookConfig: {
    route: 'PUT /webhook-config/{ch}',
    summary: 'Sets the webhook destination, after two probes of the URL have passed',
    access: managing,
    reveals: ['verify_token'],
    query: webhookConfigQuery,
    body: webhookConfigInput,
    answer: savedWebhookConfigSchema,
    errors: ['WEBHOOK_CONFIG_CHANGED', 'WEBHOOK_URL_VERIFICATION_FAILED', 'URL_NOT_ALLOWED', ...workflowErrors],
  },
  deleteWebhookConfig: {
    route: 'DELETE /webhook-config/{ch}',
    summary: 'Clears the webhook destination; deliveries that wait for it are cancelled',
    access: managing,
  },
  getWebhookHmac: {
    route: 'GET /webhook-config/{ch}/hmac',
    summary: 'Returns the secret that signs deliveries',
    access: { ...reading, alsoScope: 'channel.reveal', role: 'developer' },
    reveals: ['webhook_secret'],
    answer: webhookHmacSchema,
  },
  rotateWebhookHmac: {
    route: 'POST /webhook-config/{ch}/rotate-hmac',
    summary: 'Draws a new signing secret; deliveries carry the signatures of both during the overlap',
    access: { ...managing, alsoScope: 'channel.reveal' },
    reveals: ['webhook_secret'],
    body: hmacRotationInput,
    idempotent: true,
    answer: rotatedHmacSchema,
  },
  testWebhook: {
    route: 'POST /webhook-config/{ch}/test',
    summary: 'Sends a sample event to the webhook destination and answers with the attempt',
    access: managing,
    answer: destinationTestSchema,
    errors: ['WEBHOOK_NOT_SET', ...workflowErrors],
  },
});
