import { Context } from '@temporalio/activity';
import type { Adoption } from './adoption.ts';
import { endOfPump, type EndOfPumpDeps } from './end-of-pump.ts';
import { runShardPump, type PumpDeps, type PumpProgress } from './shard-pump.ts';

export type PumpActivities = ReturnType<typeof createPumpActivities>;

export interface PumpActivityDeps extends PumpDeps, EndOfPumpDeps {
  readonly adoption: Adoption;
}

/** Well inside the heartbeat timeout of 3 s. */
const HEARTBEAT_MS = 500;

export function createPumpActivities(deps: PumpActivityDeps) {
  return {
    /** Serves one shard for some minutes; ends early when the worker shuts down or Temporal has given it up. */
    async pumpDeliveries({ shard }: { shard: number }): Promise<PumpProgress> {
      const context = Context.current();
      const { cancellationSignal } = context;
      const signal = endOfPump({ cancellationSignal, cancellationDetails: () => context.cancellationDetails }, deps);
      let progress: PumpProgress | undefined;
      const heartbeat = setInterval(() => context.heartbeat(progress), HEARTBEAT_MS);
      const stopAdoption = deps.adoption.watch(shard);
      try {
        for (;;) {
          const served = await runShardPump(deps, { shard, signal, onProgress: (latest) => (progress = latest) });
          // A hand-over needs a Temporal that starts the next pump.
          if (signal.aborted || (await deps.isTemporalReachable())) return served;
        }
      } finally {
        clearInterval(heartbeat);
        stopAdoption();
      }
    },
  };
}
