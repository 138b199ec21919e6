import type { DestinationOrdering, DestinationType } from '../../contract/deliveries/status.ts';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
import type { CircuitReason } from '../../contract/destinations/circuit.ts';
import type { DisabledReason } from '../../contract/destinations/pending-deliveries.ts';
import type { EventType } from '../../contract/event-types.ts';
import { Model } from '../core/model.ts';

/** Only `db/ledger/` writes the circuit and failure counts. */
export class DestinationModel extends Model {
  static override tableName = 'destinations';
  declare id: number;
  declare channelId: number;
  declare type: DestinationType;
  declare url: string | null;
  declare label: string | null;
  declare eventTypes: readonly EventType[] | null;
  declare shard: number;
  declare ordering: DestinationOrdering;
  /** Null if the destination has only defaults. */
  declare options: DestinationOptions | null;
  /** `DestinationCredentials`, sealed. */
  declare credentialsEncrypted: string | null;
  declare enabled: boolean;
  /** Null while it is enabled. */
  declare disabledReason: DisabledReason | null;
  /** The subscription URL that a webhook of the same origin verified. */
  declare verifiedUrl: string | null;
  declare lastDeliveredAt: Date | null;
  declare lastFailureAt: Date | null;
  declare consecutiveFailures: number;
  declare failingSince: Date | null;
  declare failingDeliveryId: number | null;
  declare failedSeveral: boolean;
  /** Null if the ledger records the destination's attempts. */
  declare notSettlingSince: Date | null;
  /** Renewed while the ledger refuses attempts. */
  declare notSettlingAt: Date | null;
  declare standingSince: Date;
  declare circuit: 'closed' | 'open';
  declare circuitReason: CircuitReason | null;
  declare circuitOpenedAt: Date | null;
  declare circuitProbeAt: Date | null;
  declare circuitClosedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
  declare deletedAt: Date | null;
  /** Of the deliveries that its deletion cancels. */
  declare cancellation: object | null;
}
