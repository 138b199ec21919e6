import { Context } from '@temporalio/activity';
import type { Adoption } from './pump/adoption.ts';
import { runShardPump, type PumpDeps, type PumpResult } from './pump/shard-pump.ts';

export type PumpActivities = ReturnType<typeof createPumpActivities>;

export interface PumpActivityDeps extends PumpDeps {
  readonly adoption: Adoption;
  /** Aborts when this worker shuts down. */
  readonly stopping: AbortSignal;
}

/** Well inside the heartbeat timeout of 4 s. */
const HEARTBEAT_MS = 500;

export function createPumpActivities(deps: PumpActivityDeps) {
  return {
    /** Serves one shard for some minutes; ends early when the worker shuts down or Temporal has given it up. */
    async pumpDeliveries({ shard }: { shard: number }): Promise<PumpResult> {
      const context = Context.current();
      const signal = AbortSignal.any([context.cancellationSignal, deps.stopping]);
      const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      const stopAdoption = deps.adoption.watch(shard);
      try {
        return await runShardPump(deps, { shard, signal });
      } finally {
        clearInterval(heartbeat);
        stopAdoption();
      }
    },
  };
}
