import { belongsTo, Model } from '../core/model.ts';
import { DestinationModel } from './destination.ts';

/** Has no destination before the first save and after a clear. */
export class WebhookConfigModel extends Model {
  static override tableName = 'webhook_configs';
  static override idColumn = 'channel_id';
  static override relationMappings = {
    destination: belongsTo(DestinationModel, 'webhook_configs.destination_id', 'destinations.id'),
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
