import type { ChannelType } from '../../contract/event-types.ts';
import { belongsTo, Model } from '../core/model.ts';
import { ChannelModel } from './channel.ts';
import { WorkspaceModel } from './workspace.ts';

export class OnboardingLinkModel extends Model {
  static override tableName = 'onboarding_links';
  static override relationMappings = {
    workspace: belongsTo(WorkspaceModel, 'onboarding_links.workspace_id', 'workspaces.id'),
  };
  declare id: number;
  declare publicId: string;
  declare organizationId: number;
  /** Null if each account gets a new customer workspace. */
  declare workspaceId: number | null;
  declare label: string;
  declare channelType: ChannelType;
  declare tokenHash: Buffer;
  declare tokenEncrypted: string;
  declare createdBy: number;
  declare successUrl: string | null;
  declare failureUrl: string | null;
  declare notificationUrl: string | null;
  declare notificationSecretEncrypted: string | null;
  /** The owner's id for the customer; passed back unchanged. */
  declare externalId: string | null;
  declare displayName: string | null;
  declare logoUrl: string | null;
  declare expiresAt: Date | null;
  /** Null for any number. */
  declare maxUses: number | null;
  declare useCount: number;
  declare revokedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

/** `begun` until the platform redirects back, `granted` while the customer chooses an account, then the outcome. */
export type AttemptStatus = 'begun' | 'granted' | 'connected' | 'refused' | 'failed';

export class OnboardingAttemptModel extends Model {
  static override tableName = 'onboarding_attempts';
  static override relationMappings = {
    channel: belongsTo(ChannelModel, 'onboarding_attempts.channel_id', 'channels.id'),
  };
  declare id: number;
  declare onboardingLinkId: number;
  declare stateHash: Buffer;
  declare browserHash: Buffer;
  declare tokenEncrypted: string | null;
  declare status: AttemptStatus;
  declare channelId: number | null;
  declare expiresAt: Date;
  declare createdAt: Date;
}
