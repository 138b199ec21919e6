import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { SendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import { type PumpFleet, startPumpFleet } from '../../../activities/pump/pump-fleet.ts';
import { createFleetLedger } from '../../../activities/pump/ledger/pump-ledger.ts';
import { createLease } from '../../../activities/pump/lease.ts';
import { startWorkerPump } from '../../../activities/pump/worker-pump.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { rememberingLog } from '../quiet-log.ts';
import type { HotLedger } from './hot-ledger.ts';
import { interceptedPool } from './intercepted-pool.ts';
import { pumpDeps, notificationsOf } from './pump-deps.ts';

export interface FleetMember {
  readonly holder: string;
  readonly fleet: PumpFleet;
  /** Cuts the worker off from the database for good. Nothing that it sent is settled. */
  readonly kill: () => void;
}

export interface FleetMemberOptions {
  readonly isStarted?: () => boolean;
  readonly now?: () => number;
  readonly clock?: () => number;
}

/** Returns a function that starts the pump of another worker. */
export function fleetOf(t: ExecutionContext, ledger: HotLedger, sendDelivery?: SendDelivery) {
  const log = rememberingLog();
  const wake = notificationsOf(t, ledger);
  function join(options: FleetMemberOptions = {}): FleetMember {
    const holder = `host/1/${randomUUID()}`;
    const { pool, kill, revive } = killable(ledger.anotherPool(6));
    const deps = pumpDeps({ pool, wake, log, holder, ...(sendDelivery && { sendDelivery }) });
    const lease = createLease();
    const pump = startWorkerPump({ ...deps, lease });
    const fleet = startPumpFleet({
      ...deps,
      ...options,
      ledger: createFleetLedger(pool),
      roles: ['pump'],
      pump,
      lease,
    });
    t.teardown(() => {
      revive(); // or its batcher repeats the last statement forever
      return fleet.stop();
    });
    return { holder, fleet, kill };
  }
  return { log, join };
}

/** All statements fail once it is killed. */
function killable(pool: HotPool) {
  let isKilled = false;
  return {
    pool: interceptedPool(pool, (_, execute) => (isKilled ? Promise.reject(new Error('killed')) : execute())),
    kill: () => void (isKilled = true),
    revive: () => void (isKilled = false),
  };
}
