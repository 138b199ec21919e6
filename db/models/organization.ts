import type { OrganizationLimit } from '../../contract/identity/limits.ts';
import { Model } from '../core/model.ts';

export class OrganizationModel extends Model {
  static override tableName = 'organizations';
  declare id: number;
  declare publicId: string;
  declare name: string;
  /** Null if the operator created it. */
  declare madeBy: number | null;
  declare limits: Readonly<Partial<Record<OrganizationLimit, number>>>;
  declare createdAt: Date;
}
