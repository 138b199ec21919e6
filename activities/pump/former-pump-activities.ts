import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { PumpProgress } from './pump-fleet.ts';

/** Below the heartbeat timeout of 3 s in runs that were started by an earlier version. */
const HEARTBEAT_MS = 500;
/** An earlier version of the worker may schedule the next activity at once, which must not become a tight loop. */
const TURN_MS = 5_000;

/**
 * Ends the activities of runs that were started before migration 0027. Such a run then continues as a new one, which
 * shows the pump instead of keeping it running. Remove it together with `keepPumping`.
 */
export function createFormerPumpActivities({ stopping }: { readonly stopping: AbortSignal }) {
  return {
    async pumpDeliveries(): Promise<PumpProgress> {
      const context = Context.current();
      const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      const signal = AbortSignal.any([stopping, context.cancellationSignal]);
      await sleep(TURN_MS, undefined, { signal }).catch(() => undefined);
      clearInterval(heartbeat);
      return { destinationCount: 0, settledCount: 0, promotedCount: 0, heldCount: 0 };
    },
  };
}
