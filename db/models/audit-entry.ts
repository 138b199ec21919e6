import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import { belongsTo, Model } from '../core/model.ts';
import { OrganizationModel } from './organization.ts';
import { StaffKeyModel } from './staff-key.ts';
import { WorkspaceModel } from './workspace.ts';

export class AuditEntryModel extends Model {
  static override tableName = 'audit_entries';
  static override relationMappings = {
    organization: belongsTo(OrganizationModel, 'audit_entries.organization_id', 'organizations.id'),
    workspace: belongsTo(WorkspaceModel, 'audit_entries.workspace_id', 'workspaces.id'),
    staffKey: belongsTo(StaffKeyModel, 'audit_entries.actor_id', 'staff_keys.public_id'),
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
