import { Model } from '../core/model.ts';
import { DestinationModel } from './destination.ts';

export class ListenerModel extends Model {
  static override tableName = 'listeners';
  static override relationMappings = {
    destination: {
      relation: Model.BelongsToOneRelation,
      modelClass: DestinationModel,
      join: { from: 'listeners.destination_id', to: 'destinations.id' },
    },
  };
  declare id: number;
  declare publicId: string;
  declare channelId: number;
  declare destinationId: number;
  declare idempotencyKeyHash: Buffer | null;
  declare requestHash: Buffer | null;
  declare lastReadAt: Date | null;
  declare createdAt: Date;
}
