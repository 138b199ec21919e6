import { Context } from '@temporalio/activity';
import type { Adoption } from './pump/adoption.ts';
import { runShardPump, type PumpDeps, type PumpProgress } from './pump/shard-pump.ts';

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
    async pumpDeliveries({ shard }: { shard: number }): Promise<PumpProgress> {
      const context = Context.current();
      const signal = AbortSignal.any([context.cancellationSignal, deps.stopping]);
      let progress: PumpProgress | undefined;
      const heartbeat = setInterval(() => context.heartbeat(progress), HEARTBEAT_MS);
      const stopAdoption = deps.adoption.watch(shard);
      try {
        return await runShardPump(deps, { shard, signal, onProgress: (latest) => (progress = latest) });
      } finally {
        clearInterval(heartbeat);
        stopAdoption();
      }
    },
  };
}
