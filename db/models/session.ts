import { Model } from '../core/model.ts';
import { UserModel } from './user.ts';

export class SessionModel extends Model {
  static override tableName = 'sessions';
  static override relationMappings = {
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'sessions.user_id', to: 'users.id' },
    },
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
