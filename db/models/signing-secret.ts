import { SigningSecretModel } from '../core/signing-secrets.ts';

/** For the deliveries of a channel, to all of its destinations. */
export class WebhookSecretModel extends SigningSecretModel {
  static override tableName = 'webhook_secrets';
  declare channelId: number;
}

export class AlertWebhookSecretModel extends SigningSecretModel {
  static override tableName = 'alert_webhook_secrets';
  declare alertWebhookId: number;
}
