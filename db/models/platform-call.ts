import { Model } from '../core/model.ts';

export type CallRoute = 'gateway' | 'api' | 'workflow';

export class OutboundCallModel extends Model {
  static override tableName = 'outbound_calls';
  declare id: number;
  declare channelId: number | null;
  declare workspaceId: number | null;
  declare via: CallRoute;
  declare caller: string;
  declare operation: string | null;
  declare method: string;
  declare path: string;
  declare status: number | null;
  declare error: string | null;
  declare durationMs: number;
  declare requestId: string;
  declare callerRequestId: string | null;
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
