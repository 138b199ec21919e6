import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import { belongsTo, Model } from '../core/model.ts';
import { ApiKeyModel } from './api-key.ts';
import { ChannelModel } from './channel.ts';

export class ChannelTokenModel extends Model {
  static override tableName = 'channel_tokens';
  declare id: number;
  declare channelId: number;
  /** Null for the shared token. */
  declare apiKeyId: number | null;
  declare tokenHash: Buffer;
  declare tokenEncrypted: string;
  /** Null grants everything that the gateway forwards. */
  declare scopes: readonly GatewayScope[] | null;
  declare expiresAt: Date | null;
  declare revokedAt: Date | null;
  declare createdAt: Date;
}

/** `staged` ends once: `rotated` by the workflow, or `abandoned` by a request that stopped waiting. */
export type RotationStatus = 'staged' | 'rotated' | 'abandoned';

export class ChannelTokenRotationModel extends Model {
  static override tableName = 'channel_token_rotations';
  static override relationMappings = {
    channel: belongsTo(ChannelModel, 'channel_token_rotations.channel_id', 'channels.id'),
    apiKey: belongsTo(ApiKeyModel, 'channel_token_rotations.api_key_id', 'api_keys.id'),
    token: belongsTo(ChannelTokenModel, 'channel_token_rotations.token_id', 'channel_tokens.id'),
  };
  declare id: number;
  declare channelId: number;
  declare apiKeyId: number | null;
  declare tokenId: number | null;
  declare status: RotationStatus;
  declare overlapSeconds: number;
  declare idempotencyKeyHash: Buffer | null;
  declare deadlineAt: Date;
  declare previousExpiresAt: Date | null;
  declare requestedByType: AuditActorType;
  declare requestedBy: string;
  declare requestId: string | null;
  declare clientAddress: string | null;
  declare createdAt: Date;
}
