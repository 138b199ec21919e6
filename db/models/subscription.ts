import { Model } from '../core/model.ts';
import { DestinationModel } from './destination.ts';

export class SubscriptionModel extends Model {
  static override tableName = 'subscriptions';
  static override relationMappings = {
    destination: {
      relation: Model.BelongsToOneRelation,
      modelClass: DestinationModel,
      join: { from: 'subscriptions.destination_id', to: 'destinations.id' },
    },
  };
  declare id: number;
  declare publicId: string;
  declare channelId: number;
  declare destinationId: number;
  declare revision: number;
  declare createdAt: Date;
}
