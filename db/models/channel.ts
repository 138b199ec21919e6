import type { ChannelType } from '../../contract/event-types.ts';
import { Model } from '../core/model.ts';
import { WebhookConfigModel } from './webhook-config.ts';
import { WorkspaceModel } from './workspace.ts';

export class ConnectionCredentialModel extends Model {
  static override tableName = 'connection_credentials';
  static override relationMappings = {
    workspace: {
      relation: Model.BelongsToOneRelation,
      modelClass: WorkspaceModel,
      join: { from: 'connection_credentials.workspace_id', to: 'workspaces.id' },
    },
  };
  declare id: number;
  declare publicId: string;
  declare workspaceId: number;
  declare tokenEncrypted: string;
  declare expiresAt: Date | null;
  declare refreshedAt: Date | null;
  declare refusedAt: Date | null;
  declare refusedReason: string | null;
  declare createdAt: Date;
}

export class ChannelModel extends Model {
  static override tableName = 'channels';
  static override relationMappings = {
    workspace: {
      relation: Model.BelongsToOneRelation,
      modelClass: WorkspaceModel,
      join: { from: 'channels.workspace_id', to: 'workspaces.id' },
    },
    credential: {
      relation: Model.BelongsToOneRelation,
      modelClass: ConnectionCredentialModel,
      join: { from: 'channels.credential_id', to: 'connection_credentials.id' },
    },
    webhookConfig: {
      relation: Model.HasOneRelation,
      modelClass: WebhookConfigModel,
      join: { from: 'channels.id', to: 'webhook_configs.channel_id' },
    },
  };
  declare id: number;
  declare publicId: string;
  declare workspaceId: number;
  declare credentialId: number;
  declare type: ChannelType;
  declare resourceId: string;
  declare displayName: string;
  declare connectionType: string;
  declare linkedResourceId: string | null;
  declare onboardingLinkId: number | null;
  declare forwardingEnabled: boolean;
  declare disconnectedAt: Date | null;
  declare disconnectedReason: string | null;
  /** Of the deliveries that its disconnection cancels. */
  declare cancellation: object | null;
  declare keptSince: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export class ChannelMoveModel extends Model {
  static override tableName = 'channel_moves';
  static override idColumn = ['from_workspace_id', 'channel_id'];
  declare channelId: number;
  declare fromWorkspaceId: number;
  declare createdAt: Date;
}
