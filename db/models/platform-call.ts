import { Model } from '../core/model.ts';

export type CallRoute = 'gateway' | 'api' | 'workflow';

export class OutboundCallModel extends Model {
  static override tableName = 'outbound_calls';
  declare id: number;
  /** Null if the call is for no channel yet, or for several. */
  declare channelId: number | null;
  /** Null if the call is for no workspace yet. */
  declare workspaceId: number | null;
  declare via: CallRoute;
  /** Public id of the credential or the onboarding link, the first characters of a channel token, or a workflow id. */
  declare caller: string;
  /** Null for a call that the gateway forwards. */
  declare operation: string | null;
  declare method: string;
  /** Below the version, without the query. */
  declare path: string;
  /** Null if no response arrived. */
  declare status: number | null;
  /** The platform's code and subcode, or why no response arrived. */
  declare error: string | null;
  declare durationMs: number;
  declare requestId: string;
  declare callerRequestId: string | null;
  /** The platform's id of the call, for its support. */
  declare platformRequestId: string | null;
  declare startedAt: Date;
  declare createdAt: Date;
}

export class IdempotentCallModel extends Model {
  static override tableName = 'idempotent_calls';
  declare id: number;
  declare channelId: number;
  declare operation: string;
  declare keyHash: Buffer;
  declare requestHash: Buffer;
  declare answer: unknown;
  declare answeredAt: Date | null;
  declare runningUntil: Date | null;
  declare createdAt: Date;
}
