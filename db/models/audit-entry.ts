import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import { Model } from '../core/model.ts';
import { OrganizationModel } from './organization.ts';
import { StaffKeyModel } from './staff-key.ts';
import { WorkspaceModel } from './workspace.ts';

export class AuditEntryModel extends Model {
  static override tableName = 'audit_entries';
  static override relationMappings = {
    organization: {
      relation: Model.BelongsToOneRelation,
      modelClass: OrganizationModel,
      join: { from: 'audit_entries.organization_id', to: 'organizations.id' },
    },
    workspace: {
      relation: Model.BelongsToOneRelation,
      modelClass: WorkspaceModel,
      join: { from: 'audit_entries.workspace_id', to: 'workspaces.id' },
    },
    staffKey: {
      relation: Model.BelongsToOneRelation,
      modelClass: StaffKeyModel,
      join: { from: 'audit_entries.actor_id', to: 'staff_keys.public_id' },
    },
  };
  declare id: number;
  declare organizationId: number | null;
  declare workspaceId: number | null;
  declare actorType: AuditActorType;
  declare actorId: string;
  declare action: string;
  declare targetId: string | null;
  declare reason: string | null;
  declare requestId: string | null;
  declare callerRequestId: string | null;
  declare clientAddress: string | null;
  declare createdAt: Date;
}
