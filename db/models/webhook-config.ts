import { Model } from '../core/model.ts';
import { DestinationModel } from './destination.ts';

/** Has no destination before the first save and after a clear. */
export class WebhookConfigModel extends Model {
  static override tableName = 'webhook_configs';
  static override idColumn = 'channel_id';
  static override relationMappings = {
    destination: {
      relation: Model.BelongsToOneRelation,
      modelClass: DestinationModel,
      join: { from: 'webhook_configs.destination_id', to: 'destinations.id' },
    },
  };
  declare channelId: number;
  declare destinationId: number | null;
  declare defaultWebhookId: number | null;
  declare verifyTokenEncrypted: string;
  declare verifyTokenVersion: number;
  declare revision: number;
  declare verifiedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export class WebhookSecretModel extends Model {
  static override tableName = 'webhook_secrets';
  declare id: number;
  declare channelId: number;
  declare secretEncrypted: string;
  /** Null for the current secret. */
  declare expiresAt: Date | null;
  declare idempotencyKeyHash: Buffer | null;
  declare overlapSeconds: number | null;
  declare previousExpiresAt: Date | null;
  declare createdAt: Date;
}
