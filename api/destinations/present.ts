import type { SubscriptionBody } from '../../openapi/subscriptions/routes.ts';
import type { Subscription } from '../../db/subscriptions/subscriptions.ts';
import type { WebhookConfig } from '../../db/webhooks/configs.ts';

export function presentWebhookConfig(config: WebhookConfig, channelId: string) {
  return {
    channelId,
    webhookUrl: config.webhookUrl,
    verifyToken: config.verifyToken,
    verifiedAt: config.verifiedAt?.toISOString() ?? null,
    updatedAt: config.updatedAt?.toISOString() ?? null,
    disabledReason: config.disabledReason,
  };
}

export function presentSubscription(subscription: Subscription): SubscriptionBody {
  return {
    subscriptionId: subscription.publicId,
    url: subscription.url,
    events: [...subscription.events],
    label: subscription.label,
    enabled: subscription.enabled,
    createdAt: subscription.createdAt.toISOString(),
    lastDeliveredAt: subscription.lastDeliveredAt?.toISOString() ?? null,
    lastFailureAt: subscription.lastFailureAt?.toISOString() ?? null,
  };
}
