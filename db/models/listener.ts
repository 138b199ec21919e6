import { belongsTo, Model } from '../core/model.ts';
import { DestinationModel } from './destination.ts';

export class ListenerModel extends Model {
  static override tableName = 'listeners';
  static override relationMappings = {
    destination: belongsTo(DestinationModel, 'listeners.destination_id', 'destinations.id'),
  };
  declare id: number;
  declare publicId: string;
  declare channelId: number;
  declare destinationId: number;
  declare idempotencyKeyHash: Buffer | null;
  declare requestHash: Buffer | null;
  /** Accurate to the minute. */
  declare lastReadAt: Date | null;
  declare createdAt: Date;
}
