import { Model } from '../core/model.ts';

export class InstallationModel extends Model {
  static override tableName = 'installation';
  declare idKey: Buffer;
  declare tokenSalt: Buffer;
  declare deliveryShards: number;
  declare createdAt: Date;
}
