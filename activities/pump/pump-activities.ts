import { Context } from '@temporalio/activity';
import type { Adoption } from './adoption.ts';
import { pumpSignal, type PumpSignalDeps } from './pump-signal.ts';
import { runShardPump, type PumpDeps, type PumpProgress } from './shard-pump.ts';

export type PumpActivities = ReturnType<typeof createPumpActivities>;

export interface PumpActivityDeps extends PumpDeps, PumpSignalDeps {
  readonly adoption: Adoption;
}

/** Well below the heartbeat timeout of 3 s. */
const HEARTBEAT_MS = 500;

export function createPumpActivities(deps: PumpActivityDeps) {
  return {
    async pumpDeliveries({ shard }: { shard: number }): Promise<PumpProgress> {
      const context = Context.current();
      const { cancellationSignal } = context;
      const signal = pumpSignal({ cancellationSignal, cancellationDetails: () => context.cancellationDetails }, deps);
      let progress: PumpProgress | undefined;
      const heartbeat = setInterval(() => context.heartbeat(progress), HEARTBEAT_MS);
      const stopAdoption = deps.adoption.watch(shard);
      try {
        for (;;) {
          const served = await runShardPump(deps, { shard, signal, onProgress: (latest) => (progress = latest) });
          // Hand over only if Temporal can start the next pump.
          if (signal.aborted || (await deps.isTemporalReachable())) return served;
        }
      } finally {
        clearInterval(heartbeat);
        stopAdoption();
      }
    },
  };
}
