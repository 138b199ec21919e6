import type { OrganizationRole, WorkspaceRole } from '../../contract/identity/roles.ts';
import { belongsTo, Model } from '../core/model.ts';
import { OrganizationModel } from './organization.ts';
import { UserModel } from './user.ts';
import { WorkspaceModel } from './workspace.ts';

export class InvitationModel extends Model {
  static override tableName = 'invitations';
  static override relationMappings = {
    organization: belongsTo(OrganizationModel, 'invitations.organization_id', 'organizations.id'),
    inviter: belongsTo(UserModel, 'invitations.invited_by', 'users.id'),
    workspace: belongsTo(WorkspaceModel, 'invitations.workspace_id', 'workspaces.id'),
  };
  declare id: number;
  declare publicId: string;
  declare organizationId: number;
  declare workspaceId: number | null;
  declare email: string;
  declare organizationRole: OrganizationRole;
  declare workspaceRole: WorkspaceRole | null;
  declare invitedBy: number;
  declare tokenHash: Buffer;
  /** Null once the email is sent. */
  declare tokenEncrypted: string | null;
  declare expiresAt: Date;
  declare acceptedAt: Date | null;
  declare revokedAt: Date | null;
  declare createdAt: Date;
}
