import type { OrganizationRole, WorkspaceRole } from '../../contract/identity/roles.ts';
import { Model } from '../core/model.ts';
import { OrganizationModel } from './organization.ts';
import { UserModel } from './user.ts';
import { WorkspaceModel } from './workspace.ts';

export class OrganizationMemberModel extends Model {
  static override tableName = 'organization_members';
  static override idColumn = ['organization_id', 'user_id'];
  static override relationMappings = {
    organization: {
      relation: Model.BelongsToOneRelation,
      modelClass: OrganizationModel,
      join: { from: 'organization_members.organization_id', to: 'organizations.id' },
    },
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'organization_members.user_id', to: 'users.id' },
    },
  };
  declare organizationId: number;
  declare userId: number;
  declare role: OrganizationRole;
  declare createdAt: Date;
  declare organization?: OrganizationModel;
  declare user?: UserModel;
}

export class WorkspaceMemberModel extends Model {
  static override tableName = 'workspace_members';
  static override idColumn = ['workspace_id', 'user_id'];
  static override relationMappings = {
    workspace: {
      relation: Model.BelongsToOneRelation,
      modelClass: WorkspaceModel,
      join: { from: 'workspace_members.workspace_id', to: 'workspaces.id' },
    },
    user: {
      relation: Model.BelongsToOneRelation,
      modelClass: UserModel,
      join: { from: 'workspace_members.user_id', to: 'users.id' },
    },
  };
  declare workspaceId: number;
  declare userId: number;
  declare role: WorkspaceRole;
  declare createdAt: Date;
  declare workspace?: WorkspaceModel;
  declare user?: UserModel;
}
