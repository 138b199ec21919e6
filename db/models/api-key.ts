import type { Scope } from '../../contract/identity/scopes.ts';
import { type QueryBuilder, raw } from 'objection';
import { belongsTo, hasOne, Model } from '../core/model.ts';
import { OrganizationMemberModel } from './member.ts';
import { OrganizationModel } from './organization.ts';
import { UserModel } from './user.ts';

export class ApiKeyModel extends Model {
  static override tableName = 'api_keys';
  static override relationMappings = () => ({
    organization: belongsTo(OrganizationModel, 'api_keys.organization_id', 'organizations.id'),
    user: belongsTo(UserModel, 'api_keys.user_id', 'users.id'),
    membership: {
      relation: Model.HasOneRelation,
      modelClass: OrganizationMemberModel,
      join: {
        from: ['api_keys.organization_id', 'api_keys.user_id'],
        to: ['organization_members.organization_id', 'organization_members.user_id'],
      },
    },
    agentCredential: hasOne(AgentCredentialModel, 'api_keys.id', 'agent_credentials.api_key_id'),
  });
  static override modifiers = {
    valid(query: QueryBuilder<ApiKeyModel>) {
      query
        .whereNull('api_keys.revoked_at')
        .where((either) => either.whereNull('api_keys.expires_at').orWhere('api_keys.expires_at', '>', raw('now()')));
    },
  };
  declare id: number;
  declare publicId: string;
  declare organizationId: number;
  declare userId: number;
  declare name: string;
  declare tokenHash: Buffer;
  declare tokenEncrypted: string;
  /** Null grants full access to the organization. */
  declare scopes: readonly Scope[] | null;
  /** Null unless the key is limited to these workspaces. */
  declare workspaceIds: readonly number[] | null;
  /** Null allows any address. */
  declare allowedCidrs: readonly string[] | null;
  /** Whether a key with scopes outlives its creator's membership. */
  declare ownedByOrganization: boolean;
  declare expiresAt: Date | null;
  declare revokedAt: Date | null;
  declare lastUsedAt: Date | null;
  declare createdAt: Date;
}

export class AgentCredentialModel extends Model {
  static override tableName = 'agent_credentials';
  static override relationMappings = {
    apiKey: belongsTo(ApiKeyModel, 'agent_credentials.api_key_id', 'api_keys.id'),
  };
  declare id: number;
  declare publicId: string;
  declare apiKeyId: number;
  declare createdAt: Date;
}
