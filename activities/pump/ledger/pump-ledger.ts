import type { HotPool } from '../../../db/core/hot-pool.ts';
import { claimDeliveries } from '../../../db/ledger/claim.ts';
import { claimDebounced } from '../../../db/ledger/claims/debounced-deliveries.ts';
import { markNotSettling } from '../../../db/ledger/destinations/not-settling.ts';
import { recordAccepted } from '../../../db/ledger/destinations/record-accepted.ts';
import { postponeUnreadable } from '../../../db/ledger/load-delivery.ts';
import { parkHeldDeliveries, releaseParkedDeliveries } from '../../../db/ledger/parked-deliveries.ts';
import { releaseDueRetries } from '../../../db/ledger/release-due-retries.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { joinFleet, leaveFleet, readFleet } from '../../../db/ledger/shards/fleet.ts';
import { endHandOver, handOver } from '../../../db/ledger/shards/hand-over.ts';
import { acquireLeases, renewLeases } from '../../../db/ledger/shards/shard-leases.ts';

/** All statements of a pump. */
export type PumpLedger = ReturnType<typeof createPumpLedger>;

export interface PumpPools {
  readonly pool: HotPool;
  /** Of claims, so that none waits for settlements. */
  readonly claimPool: HotPool;
}

export function createPumpLedger({ pool, claimPool }: PumpPools) {
  return {
    claimDeliveries: claimDeliveries.bind(undefined, claimPool),
    claimDebounced: claimDebounced.bind(undefined, claimPool),
    settleAccepted: settleAccepted.bind(undefined, pool),
    settleFailed: settleFailed.bind(undefined, pool),
    recordAccepted: recordAccepted.bind(undefined, pool),
    markNotSettling: markNotSettling.bind(undefined, pool),
    postponeUnreadable: postponeUnreadable.bind(undefined, pool),
    parkHeldDeliveries: parkHeldDeliveries.bind(undefined, pool),
    releaseParkedDeliveries: releaseParkedDeliveries.bind(undefined, pool),
    releaseDueRetries: releaseDueRetries.bind(undefined, pool),
    handOver: handOver.bind(undefined, pool),
    endHandOver: endHandOver.bind(undefined, pool),
  };
}

/** The statements with which workers share the shards. */
export type FleetLedger = ReturnType<typeof createFleetLedger>;

/** The pump must not use the connections: its statements would delay the renewal of the leases. */
export function createFleetLedger(pool: HotPool) {
  return {
    readFleet: readFleet.bind(undefined, pool),
    joinFleet: joinFleet.bind(undefined, pool),
    leaveFleet: leaveFleet.bind(undefined, pool),
    renewLeases: renewLeases.bind(undefined, pool),
    acquireLeases: acquireLeases.bind(undefined, pool),
  };
}
