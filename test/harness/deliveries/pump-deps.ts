import { createAcceptedOutcomes } from '../../../activities/pump/outcomes/accepted-outcomes.ts';
import { createSharedClaims } from '../../../activities/pump/shared-claims.ts';
import type { PumpDeps, PumpSettings } from '../../../activities/pump/shard-pump.ts';
import { createShortRetries } from '../../../activities/pump/short-retries.ts';
import { type DeliveryNotifications, openDeliveryNotifications } from '../../../db/core/delivery-notifications.ts';
import { rememberingLog } from '../quiet-log.ts';
import type { Lifetime } from '../time/lifetime.ts';

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

type Given = Pick<PumpDeps, 'pool' | 'wake' | 'log' | 'holder'> & Partial<PumpDeps>;

/** What a pump needs. By default it has nothing to send, and does not report what it does. */
export function pumpDeps(given: Given): PumpDeps {
  const { pool, log, meter, signalCircuits = () => undefined } = given;
  return {
    claims: createSharedClaims(pool),
    acceptedOutcomes: createAcceptedOutcomes({ pool, onCircuits: signalCircuits, meter, log }),
    shortRetries: createShortRetries({ pool, log }),
    sendDelivery: () => Promise.reject(new Error('nothing to send')),
    promote: () => undefined,
    signalCircuits,
    settings: pumpSettings,
    ...given,
  };
}
