import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';
import { Model } from '../core/model.ts';

export class TestEventModel extends Model {
  static override tableName = 'test_events';
  declare id: number;
  declare channelId: number;
  declare destinationId: number;
  /** From the ledger's sequence, so that no delivery has the same number. */
  declare deliveryNumber: number;
  declare eventNumber: number;
  declare eventType: EventType;
  declare url: string;
  declare body: Buffer;
  declare startedAt: Date | null;
  declare durationMs: number | null;
  /** Null until it is attempted. */
  declare outcome: AttemptOutcome | null;
  declare status: number | null;
  declare responseHeaders: Readonly<Record<string, string>> | null;
  declare responseBody: Buffer | null;
  declare responseBodyKeyId: string | null;
  declare error: string | null;
  declare request: Buffer | null;
  declare createdAt: Date;
}
