import { createPumpLedger, type PumpLedger } from '../../../activities/pump/ledger/pump-ledger.ts';
import type { PumpSettings } from '../../../activities/pump/worker-pump.ts';
import { type DeliveryNotifications, openDeliveryNotifications } from '../../../db/core/delivery-notifications.ts';
import { rememberingLog } from '../quiet-log.ts';
import type { Lifetime } from '../time/lifetime.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import type { LeasedPumpDeps } from './leased-pump.ts';

/** Receives the notifications of a database until the end of a lifetime. */
export function notificationsOf(t: Lifetime, { url }: { readonly url: string }): DeliveryNotifications {
  const wake = openDeliveryNotifications({ url, log: rememberingLog() });
  t.teardown(() => wake.close());
  return wake;
}

/** No result depends on the waits. */
const pumpSettings: PumpSettings = {
  scheduleMs: [60_000],
  conversationHoldMs: 300_000,
  destinationInFlight: 16,
  workspaceInFlight: 256,
  probeDelaysMs: [60_000],
  failingDisableMs: 432_000_000,
  attemptTimeoutMs: 10_000,
};

type Given = Pick<LeasedPumpDeps, 'pool' | 'wake' | 'log' | 'holder'> &
  Partial<LeasedPumpDeps> & {
    /** Optional. Default: `pool`. */
    readonly claimPool?: HotPool;
  };

/** With the same connections for all statements, by default. */
export function pumpLedgerOf(pool: HotPool, claimPool: HotPool = pool): PumpLedger {
  return createPumpLedger({ pool, claimPool });
}

/** What a pump needs. By default it has nothing to send, and does not report what it does. */
export function pumpDeps({ claimPool, ...given }: Given): LeasedPumpDeps {
  return {
    ledger: pumpLedgerOf(given.pool, claimPool),
    sendDelivery: () => Promise.reject(new Error('nothing to send')),
    promote: () => undefined,
    signalCircuits: () => undefined,
    settings: pumpSettings,
    ...given,
  };
}
