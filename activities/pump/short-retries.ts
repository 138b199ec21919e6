import type { HotPool } from '../../db/core/hot-pool.ts';
import { releaseDueRetries } from '../../db/ledger/release-due-retries.ts';
import type { Log } from '../../process/log.ts';
import type { Lease } from './lease.ts';

/**
 * Makes the retries of all shards of a process pending when they are due, with one statement at a time. The rows hold
 * all state, so a crash loses none.
 */
export interface ShortRetries {
  /** Serves a shard until `close`. */
  serve(shard: ServedRetries): ShardRetries;
}

export interface ServedRetries {
  readonly shard: number;
  readonly lease: Pick<Lease, 'fence' | 'isValid'>;
  /** Retries are pending and can be claimed. */
  readonly onReleased: () => void;
}

export interface ShardRetries {
  /** A retry was written for this time. */
  scheduled(atMs: number): void;
  close(): void;
}

export interface ShortRetriesDeps {
  readonly pool: HotPool;
  readonly log: Log;
}

/** Bounds one transaction. */
const MAX_RELEASED = 500;
/** Covers retries that another process wrote, such as a shard's previous pump. */
const POLL_MS = 2_000;
/** Collects retries that are due at almost the same time. */
const MIN_WAIT_MS = 50;

export function createShortRetries({ pool, log }: ShortRetriesDeps): ShortRetries {
  const served = new Set<ServedRetries>();
  let isRunning = false;
  let dueAtMs = Infinity;
  let timer: NodeJS.Timeout | undefined;

  return {
    serve(shard) {
      served.add(shard);
      runAt(Date.now());
      return {
        scheduled: (atMs) => runAt(Math.max(atMs, Date.now() + MIN_WAIT_MS)),
        close() {
          served.delete(shard);
          if (served.size === 0) stop();
        },
      };
    },
  };

  function stop(): void {
    clearTimeout(timer);
    dueAtMs = Infinity;
  }

  /** Keeps an earlier time. A time given during a run is kept for the next one. */
  function runAt(atMs: number): void {
    if (atMs >= dueAtMs || served.size === 0) return;
    dueAtMs = atMs;
    if (!isRunning) wait();
  }

  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), Math.min(Math.max(dueAtMs - Date.now(), 0), POLL_MS));
  }

  async function run(): Promise<void> {
    isRunning = true;
    dueAtMs = Infinity;
    let nextInMs = POLL_MS;
    try {
      nextInMs = await release([...served].filter(({ lease }) => lease.isValid()));
    } catch (error) {
      log.warn('retry.releaseFailed', { error });
    } finally {
      runAt(Date.now() + nextInMs);
      isRunning = false;
      if (served.size > 0) wait();
    }
  }

  /** Returns the time until the next statement. */
  async function release(shards: readonly ServedRetries[]): Promise<number> {
    const leases = shards.map(({ shard, lease }) => ({ shard, fence: lease.fence }));
    const { counts, isCut, nextInMs } = await releaseDueRetries(pool, { leases, limit: MAX_RELEASED });
    for (const { shard, onReleased } of shards) if (counts.has(shard)) onReleased();
    return isCut ? 0 : Math.min(Math.max(nextInMs ?? POLL_MS, MIN_WAIT_MS), POLL_MS);
  }
}
