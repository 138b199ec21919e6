import type { MediaType } from '../../contract/containers/media-types.ts';
import type { ContainerStatus, PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import type { PlatformRefusalCode } from '../../contract/errors.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { belongsTo, Model } from '../core/model.ts';
import { ChannelModel } from './channel.ts';
import { WorkspaceModel } from './workspace.ts';

export class MediaContainerModel extends Model {
  static override tableName = 'media_containers';
  static override relationMappings = {
    channel: belongsTo(ChannelModel, 'media_containers.channel_id', 'channels.id'),
    workspace: belongsTo(WorkspaceModel, 'media_containers.workspace_id', 'workspaces.id'),
  };
  declare id: number;
  declare publicId: string;
  declare channelId: number;
  declare workspaceId: number;
  declare mediaType: MediaType;
  declare request: ContainerInput;
  declare childCount: number;
  declare autoPublish: boolean;
  declare idempotencyKeyHash: Buffer | null;
  declare requestHash: Buffer;
  declare status: ContainerStatus;
  declare statusDetail: string | null;
  /** What the last refusal of the platform means. */
  declare refusalCode: PlatformRefusalCode | null;
  declare refusalRetryAt: Date | null;
  /** Until when it may be sent to the platform. */
  declare createBy: Date;
  /** When the platform deletes the container. */
  declare expiresAt: Date;
  declare checkedAt: Date | null;
  declare nextCheckAt: Date | null;
  declare publishSentAt: Date | null;
  /** When the platform last refused to create the carousel, or to publish, because it is not finished. */
  declare tooEarlyAt: Date | null;
  declare mediaId: string | null;
  declare permalink: string | null;
  declare publishedAt: Date | null;
  declare endedAt: Date | null;
  declare createdAt: Date;
}

/** Position 0 is the container; 1 and up are a carousel's children. */
export class ContainerPartModel extends Model {
  static override tableName = 'container_parts';
  static override idColumn = ['container_id', 'position'];
  declare containerId: number;
  declare position: number;
  declare sentAt: Date | null;
  declare outcome: PartOutcome | null;
  declare platformId: string | null;
  declare state: PlatformContainerState | null;
  declare createdAt: Date;
}
