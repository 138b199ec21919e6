import type { PlatformRefusalCode } from '../../contract/errors.ts';
import type { ScheduledKind, ScheduledReason, ScheduledStatus } from '../../contract/scheduled/scheduled.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { belongsTo, Model } from '../core/model.ts';
import { ChannelModel } from './channel.ts';
import { WorkspaceModel } from './workspace.ts';

export class ScheduledModel extends Model {
  static override tableName = 'scheduled';
  static override jsonAttributes = ['input'];
  static override relationMappings = {
    channel: belongsTo(ChannelModel, 'scheduled.channel_id', 'channels.id'),
    workspace: belongsTo(WorkspaceModel, 'scheduled.workspace_id', 'workspaces.id'),
  };
  declare id: number;
  declare publicId: string;
  declare kind: ScheduledKind;
  declare channelId: number;
  declare workspaceId: number;
  declare createdBy: string;
  declare dueAt: Date;
  declare actAt: Date;
  declare status: ScheduledStatus;
  declare reason: ScheduledReason | null;
  declare statusDetail: string | null;
  declare refusalCode: PlatformRefusalCode | null;
  declare messageEncrypted: string | null;
  declare recipientHash: Buffer | null;
  declare otherRecipientHash: Buffer | null;
  declare attempts: number;
  declare platformMessageId: string | null;
  declare input: ContainerInput | null;
  declare containerPublicId: string | null;
  declare idempotencyKeyHash: Buffer | null;
  declare requestHash: Buffer;
  declare endedAt: Date | null;
  declare createdAt: Date;
}
