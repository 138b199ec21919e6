import { subscriptionAnswer, subscriptionInput } from '../schemas/subscription.ts';
import { webhookConfigInput, webhookConfigSchema, webhookHmacSchema } from '../schemas/webhook-config.ts';
import { byScope, channelParameter, type RouteDefinition } from './definition.ts';

const webhookTag = 'Webhook destination';
const subscriptionTag = 'Event subscriptions';
/** Every one of these gives out or takes a secret, so that reading needs the managing scope too. */
const reading = byScope('webhook.manage', { within: 'header' });
const managing = byScope('webhook.manage', { within: 'header', role: 'admin' });

export const destinationRoutes = {
  getWebhookConfig: {
    operationId: 'getWebhookConfig',
    summary: "Returns the channel's webhook destination",
    tag: webhookTag,
    method: 'get',
    path: '/webhook-config/{ch}',
    parameters: { ch: channelParameter },
    access: reading,
    success: { status: 200, body: webhookConfigSchema },
    errors: [],
  },
  putWebhookConfig: {
    operationId: 'putWebhookConfig',
    summary: 'Sets the webhook destination, after two probes of the URL have passed',
    tag: webhookTag,
    method: 'put',
    path: '/webhook-config/{ch}',
    parameters: { ch: channelParameter },
    access: managing,
    body: webhookConfigInput,
    success: { status: 200, body: webhookConfigSchema },
    errors: [
      'WEBHOOK_CONFIG_CHANGED',
      'WEBHOOK_URL_VERIFICATION_FAILED',
      'URL_NOT_ALLOWED',
      'WORKFLOW_UNAVAILABLE',
      'PLATFORM_OUTCOME_UNKNOWN',
    ],
  },
  deleteWebhookConfig: {
    operationId: 'deleteWebhookConfig',
    summary: 'Clears the webhook destination; deliveries that wait for it are cancelled',
    tag: webhookTag,
    method: 'delete',
    path: '/webhook-config/{ch}',
    parameters: { ch: channelParameter },
    access: managing,
    success: { status: 204, body: null },
    errors: [],
  },
  getWebhookHmac: {
    operationId: 'getWebhookHmac',
    summary: 'Returns the secret that signs deliveries',
    tag: webhookTag,
    method: 'get',
    path: '/webhook-config/{ch}/hmac',
    parameters: { ch: channelParameter },
    access: reading,
    success: { status: 200, body: webhookHmacSchema },
    errors: [],
  },
  createSubscription: {
    operationId: 'createSubscription',
    summary: "Adds a URL that receives some of the channel's events",
    tag: subscriptionTag,
    method: 'post',
    path: '/channels/{ch}/subscriptions',
    parameters: { ch: channelParameter },
    access: byScope('webhook.manage', { within: 'channel', role: 'admin' }),
    body: subscriptionInput,
    success: { status: 201, body: subscriptionAnswer },
    errors: ['URL_NOT_ALLOWED', 'WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'],
  },
  getSubscription: {
    operationId: 'getSubscription',
    summary: 'Returns one event subscription',
    tag: subscriptionTag,
    method: 'get',
    path: '/channels/{ch}/subscriptions/{sub}',
    parameters: { ch: channelParameter, sub: { kind: 'subscription', notFound: 'SUBSCRIPTION_NOT_FOUND' } },
    access: byScope('channel.read', { within: 'channel' }),
    success: { status: 200, body: subscriptionAnswer },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
