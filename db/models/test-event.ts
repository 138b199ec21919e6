import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';
import { Model } from '../core/model.ts';

/** A sample event that a person sends to a destination, with its one attempt. */
export class TestEventModel extends Model {
  static override tableName = 'test_events';
  declare id: number;
  declare channelId: number;
  declare destinationId: number;
  /** Drawn from the ledger's sequence, so that no delivery has the same number. */
  declare deliveryNumber: number;
  /** Drawn from the ledger's sequence, so that no event has the same number. */
  declare eventNumber: number;
  declare eventType: EventType;
  declare url: string;
  declare body: Buffer;
  declare startedAt: Date | null;
  declare durationMs: number | null;
  declare outcome: AttemptOutcome | null;
  declare status: number | null;
  declare responseHeaders: Readonly<Record<string, string>> | null;
  declare responseBody: Buffer | null;
  /** The key that sealed the response body; null if it is not encrypted. */
  declare responseBodyKeyId: string | null;
  declare error: string | null;
  declare createdAt: Date;
}
