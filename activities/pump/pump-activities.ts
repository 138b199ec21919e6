import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { PumpFleet, PumpProgress } from './pump-fleet.ts';

export type PumpActivities = ReturnType<typeof createPumpActivities>;

export interface PumpActivityDeps {
  readonly fleet: Pick<PumpFleet, 'pumpOf'>;
  readonly views: PumpViews;
  /** Whether the installation no longer has the shard. */
  readonly isRetired: (shard: number) => Promise<boolean>;
  readonly stopping: AbortSignal;
}

/** Counts the activities that show a pump. */
export interface PumpViews {
  readonly isShown: (shard: number) => boolean;
  readonly begin: (shard: number) => () => void;
}

export interface PumpReport extends PumpProgress {
  /** False if the worker no longer holds the shard's lease. */
  readonly isServing: boolean;
  /** Whether the installation no longer has the shard. */
  readonly isRetired: boolean;
}

/** Every heartbeat is a state transition of the workflow, also of an idle shard. */
export const HEARTBEAT_MS = 25_000;
/** Renews the summary in the workflow's details, and keeps each activity below its timeout of two hours. */
const VIEW_MS = 3_600_000;
const NOTHING: PumpProgress = { destinationCount: 0, settledCount: 0, promotedCount: 0, heldCount: 0 };

export function createPumpActivities({ fleet, views, isRetired, stopping }: PumpActivityDeps) {
  return {
    /** Shows the running pump of a shard until its lease moves. Cancelling it changes nothing for the pump. */
    async pumpDeliveries({ shard }: { shard: number }): Promise<PumpReport> {
      const { cancellationSignal, cancelled, heartbeat } = contextOf();
      const pump = fleet.pumpOf(shard);
      if (!pump) return { ...NOTHING, isServing: false, isRetired: await isRetired(shard) };
      const endView = views.begin(shard);
      const viewed = new AbortController();
      let progress = NOTHING;
      const report = async (): Promise<void> => {
        progress = await pump.progress().catch(() => progress);
        heartbeat(progress);
      };
      void report();
      const timer = setInterval(() => void report(), HEARTBEAT_MS);
      const signal = AbortSignal.any([viewed.signal, stopping, cancellationSignal]);
      try {
        await Promise.race([pump.stopped, cancelled, sleep(VIEW_MS, undefined, { signal }).catch(() => undefined)]);
        progress = await pump.progress().catch(() => progress);
        const isServing = fleet.pumpOf(shard) === pump && !stopping.aborted;
        return { ...progress, isServing, isRetired: !isServing && (await isRetired(shard)) };
      } finally {
        viewed.abort();
        clearInterval(timer);
        endView();
      }
    },
  };
}

function contextOf() {
  const context = Context.current();
  const { cancellationSignal, cancelled } = context;
  return { cancellationSignal, cancelled, heartbeat: (details: unknown) => context.heartbeat(details) };
}

export function createPumpViews(): PumpViews {
  const counts = new Map<number, number>();
  const change = (shard: number, by: number): void => void counts.set(shard, (counts.get(shard) ?? 0) + by);
  return {
    isShown: (shard) => (counts.get(shard) ?? 0) > 0,
    begin(shard) {
      change(shard, 1);
      return () => change(shard, -1);
    },
  };
}
