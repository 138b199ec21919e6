import { setTimeout as sleep } from 'node:timers/promises';
import type { PumpReport } from '../../contract/deliveries/pump-report.ts';
import type { PumpStanding } from '../../db/ledger/destinations/pump-standing.ts';

export type PumpActivities = ReturnType<typeof createPumpActivities>;

/** The pump of this worker, as its view sees it. */
export interface WatchedPump {
  /** The shards that the worker holds. */
  shards(): readonly number[];
  /** Settled and promoted deliveries since the worker started, and the deliveries in its memory. */
  counts(): { readonly settledCount: number; readonly promotedCount: number; readonly heldCount: number };
  /** Resolves when the pump serves no longer. */
  readonly stopped: Promise<void>;
}

export interface PumpActivityDeps {
  readonly pump: WatchedPump;
  readonly views: PumpViews;
  readonly readStanding: (shards: readonly number[]) => Promise<PumpStanding>;
  readonly stopping: AbortSignal;
}

const UNKNOWN: PumpStanding = { destinationCount: 0, oldestWaitSeconds: 0, troubledCount: 0, troubled: [] };

export function createPumpActivities({ pump, views, readStanding, stopping }: PumpActivityDeps) {
  const stopped = new AbortController();
  void pump.stopped.then(() => stopped.abort());
  const ended = AbortSignal.any([stopped.signal, stopping]);
  let standing = UNKNOWN;
  return {
    /** Watches the pump of this worker for a while, or until it stops, and reports how far it is. */
    async watchPump({ viewMs }: { viewMs: number }): Promise<PumpReport> {
      const endView = views.begin();
      try {
        const { settledCount } = pump.counts();
        const begunAtMs = performance.now();
        await sleep(viewMs, undefined, { signal: ended }).catch(() => undefined);
        const { settledCount: settledSince, ...counts } = pump.counts();
        const seconds = Math.max(performance.now() - begunAtMs, 1) / 1_000;
        const settledPerSecond = Math.round(((settledSince - settledCount) / seconds) * 10) / 10;
        const shards = pump.shards();
        // The last known state is shown while the database is unreachable.
        if (!ended.aborted) standing = await readStanding(shards).catch(() => standing);
        const { promotedCount, heldCount } = counts;
        const report = { shards: rangesOf(shards), settledPerSecond, promotedCount, heldCount, ...standing };
        return { isServing: !ended.aborted, ...report };
      } finally {
        endView();
      }
    },
  };
}

/** Returns ascending numbers as ranges: `0–63, 128`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: { readonly first: number; last: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range?.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

/** Counts the activities that show the pump. */
export interface PumpViews {
  readonly isShown: () => boolean;
  readonly begin: () => () => void;
}

export function createPumpViews(): PumpViews {
  let count = 0;
  return {
    isShown: () => count > 0,
    begin() {
      count++;
      return () => void count--;
    },
  };
}
