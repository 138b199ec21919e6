import type { PlatformRefusalCode } from '../../contract/errors.ts';
import type { ScheduledMessageReason, ScheduledMessageStatus } from '../../contract/operations/scheduled-message.ts';
import { Model } from '../core/model.ts';
import { ChannelModel } from './channel.ts';
import { WorkspaceModel } from './workspace.ts';

export class ScheduledMessageModel extends Model {
  static override tableName = 'scheduled_messages';
  static override relationMappings = {
    channel: {
      relation: Model.BelongsToOneRelation,
      modelClass: ChannelModel,
      join: { from: 'scheduled_messages.channel_id', to: 'channels.id' },
    },
    workspace: {
      relation: Model.BelongsToOneRelation,
      modelClass: WorkspaceModel,
      join: { from: 'scheduled_messages.workspace_id', to: 'workspaces.id' },
    },
  };
  declare id: number;
  declare publicId: string;
  declare channelId: number;
  declare workspaceId: number;
  declare createdBy: string;
  declare sendAt: Date;
  declare nextAttemptAt: Date;
  declare nextStartAt: Date;
  declare status: ScheduledMessageStatus;
  declare reason: ScheduledMessageReason | null;
  declare statusDetail: string | null;
  declare refusalCode: PlatformRefusalCode | null;
  declare messageEncrypted: string | null;
  declare recipientHash: Buffer | null;
  declare otherRecipientHash: Buffer | null;
  declare attempts: number;
  declare platformMessageId: string | null;
  declare idempotencyKeyHash: Buffer | null;
  declare requestHash: Buffer;
  declare sentAt: Date | null;
  declare endedAt: Date | null;
  declare createdAt: Date;
}
