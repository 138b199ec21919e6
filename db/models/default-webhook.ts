import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import type { ProbeName } from '../../contract/webhooks/probe.ts';
import type { DefaultWebhookStatus, RolloutStatus } from '../../contract/webhooks/rollout.ts';
import { belongsTo, Model } from '../core/model.ts';
import { ChannelModel } from './channel.ts';
import { OrganizationModel } from './organization.ts';
import type { ProbeRecord } from './webhook-candidate.ts';
import { WorkspaceModel } from './workspace.ts';

export class DefaultWebhookModel extends Model {
  static override tableName = 'default_webhooks';
  static override relationMappings = {
    organization: belongsTo(OrganizationModel, 'default_webhooks.organization_id', 'organizations.id'),
    workspace: belongsTo(WorkspaceModel, 'default_webhooks.workspace_id', 'workspaces.id'),
  };
  declare id: number;
  declare organizationId: number;
  /** Null for the organization. */
  declare workspaceId: number | null;
  declare url: string;
  /** Null if no longer needed. */
  declare verifyTokenEncrypted: string | null;
  declare status: DefaultWebhookStatus;
  declare failure: string | null;
  declare probes: Readonly<Partial<Record<ProbeName, ProbeRecord>>>;
  declare deadlineAt: Date;
  declare requestedByType: AuditActorType;
  declare requestedBy: string;
  declare requestId: string | null;
  declare clientAddress: string | null;
  declare verifiedAt: Date | null;
  declare createdAt: Date;
}

export class WebhookRolloutModel extends Model {
  static override tableName = 'webhook_rollouts';
  static override relationMappings = {
    defaultWebhook: belongsTo(DefaultWebhookModel, 'webhook_rollouts.default_webhook_id', 'default_webhooks.id'),
    workspace: belongsTo(WorkspaceModel, 'webhook_rollouts.workspace_id', 'workspaces.id'),
    channel: belongsTo(ChannelModel, 'webhook_rollouts.channel_id', 'channels.id'),
  };
  declare id: number;
  declare publicId: string;
  declare organizationId: number;
  declare workspaceId: number | null;
  declare defaultWebhookId: number;
  /** Null unless a new channel gets the default. */
  declare channelId: number | null;
  declare dryRun: boolean;
  declare replaceOwn: boolean;
  declare status: RolloutStatus;
  declare lastChannelId: number;
  declare total: number;
  declare applied: number;
  declare unchanged: number;
  declare skipped: number;
  declare failed: number;
  declare retryCount: number;
  declare retryAt: Date | null;
  declare idempotencyKeyHash: Buffer | null;
  declare requestHash: Buffer | null;
  declare requestedByType: AuditActorType;
  declare requestedBy: string;
  declare requestId: string | null;
  declare clientAddress: string | null;
  declare startedAt: Date | null;
  declare progressedAt: Date;
  declare endedAt: Date | null;
  declare runEndedAt: Date | null;
  declare createdAt: Date;
}
