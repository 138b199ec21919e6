import { belongsTo, Model } from '../core/model.ts';
import { DestinationModel } from './destination.ts';

export class SubscriptionModel extends Model {
  static override tableName = 'subscriptions';
  static override relationMappings = {
    destination: belongsTo(DestinationModel, 'subscriptions.destination_id', 'destinations.id'),
  };
  declare id: number;
  declare publicId: string;
  declare channelId: number;
  declare destinationId: number;
  declare revision: number;
  declare createdAt: Date;
}
