import type { WorkspaceKind } from '../../contract/identity/workspace-kinds.ts';
import { belongsTo, Model } from '../core/model.ts';
import { OrganizationModel } from './organization.ts';

export class WorkspaceModel extends Model {
  static override tableName = 'workspaces';
  static override relationMappings = {
    organization: belongsTo(OrganizationModel, 'workspaces.organization_id', 'organizations.id'),
  };
  declare id: number;
  declare publicId: string;
  declare organizationId: number;
  declare name: string;
  declare kind: WorkspaceKind;
  declare externalId: string | null;
  declare createdAt: Date;
  declare deletedAt: Date | null;
  declare organization?: OrganizationModel;
}
