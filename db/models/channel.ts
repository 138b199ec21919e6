import type { ChannelType } from '../../contract/event-types.ts';
import { belongsTo, hasOne, Model } from '../core/model.ts';
import { WebhookConfigModel } from './webhook-config.ts';
import { WorkspaceModel } from './workspace.ts';

export class ConnectionCredentialModel extends Model {
  static override tableName = 'connection_credentials';
  static override relationMappings = {
    workspace: belongsTo(WorkspaceModel, 'connection_credentials.workspace_id', 'workspaces.id'),
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
    workspace: belongsTo(WorkspaceModel, 'channels.workspace_id', 'workspaces.id'),
    credential: belongsTo(ConnectionCredentialModel, 'channels.credential_id', 'connection_credentials.id'),
    webhookConfig: hasOne(WebhookConfigModel, 'channels.id', 'webhook_configs.channel_id'),
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
  /** Null unless the service disconnected the channel. */
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
