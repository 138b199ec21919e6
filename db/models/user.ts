import { Model } from '../core/model.ts';

export class UserModel extends Model {
  static override tableName = 'users';
  declare id: number;
  declare publicId: string;
  declare email: string;
  declare isStaff: boolean;
  declare createdAt: Date;
}
