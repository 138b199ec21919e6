import { belongsTo, Model } from '../core/model.ts';
import { UserModel } from './user.ts';

export class StaffKeyModel extends Model {
  static override tableName = 'staff_keys';
  static override relationMappings = {
    user: belongsTo(UserModel, 'staff_keys.user_id', 'users.id'),
  };
  declare id: number;
  declare publicId: string;
  declare userId: number;
  declare tokenHash: Buffer;
  declare expiresAt: Date | null;
  declare revokedAt: Date | null;
  declare createdAt: Date;
}
