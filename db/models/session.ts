import { belongsTo, Model } from '../core/model.ts';
import { UserModel } from './user.ts';

export class SessionModel extends Model {
  static override tableName = 'sessions';
  static override relationMappings = {
    user: belongsTo(UserModel, 'sessions.user_id', 'users.id'),
  };
  declare id: number;
  declare userId: number;
  declare tokenHash: Buffer;
  declare refreshHash: Buffer | null;
  declare refreshKeyId: string | null;
  declare userAgent: string | null;
  declare expiresAt: Date;
  declare revokedAt: Date | null;
  declare createdAt: Date;
}
