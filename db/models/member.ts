import type { OrganizationRole, WorkspaceRole } from '../../contract/identity/roles.ts';
import { belongsTo, Model } from '../core/model.ts';
import { OrganizationModel } from './organization.ts';
import { UserModel } from './user.ts';
import { WorkspaceModel } from './workspace.ts';

export class OrganizationMemberModel extends Model {
  static override tableName = 'organization_members';
  static override idColumn = ['organization_id', 'user_id'];
  static override relationMappings = {
    organization: belongsTo(OrganizationModel, 'organization_members.organization_id', 'organizations.id'),
    user: belongsTo(UserModel, 'organization_members.user_id', 'users.id'),
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
    workspace: belongsTo(WorkspaceModel, 'workspace_members.workspace_id', 'workspaces.id'),
    user: belongsTo(UserModel, 'workspace_members.user_id', 'users.id'),
  };
  declare workspaceId: number;
  declare userId: number;
  declare role: WorkspaceRole;
  declare createdAt: Date;
  declare workspace?: WorkspaceModel;
  declare user?: UserModel;
}
