import type { HotPool } from '../../db/core/hot-pool.ts';
import { releaseDueRetries } from '../../db/ledger/release-due-retries.ts';
import type { Log } from '../../process/log.ts';
import type { Lease } from './lease.ts';

/** Makes the retries of a shard pending when they are due. The rows hold all state, so a crash loses none. */
export interface ShortRetries {
  /** A retry was written for this time. */
  scheduled(atMs: number): void;
  close(): void;
}

export interface ShortRetriesDeps {
  readonly pool: HotPool;
  readonly shard: number;
  readonly lease: Pick<Lease, 'fence' | 'isValid'>;
  /** Retries are pending and can be claimed. */
  readonly onReleased: () => void;
  readonly log: Log;
}

/** Bounds one transaction. */
const MAX_RELEASED = 500;
/** Covers retries that another process wrote, such as the shard's previous pump. */
const POLL_MS = 2_000;
/** Collects retries that are due at almost the same time. */
const MIN_WAIT_MS = 50;

export function startShortRetries({ pool, shard, lease, onReleased, log }: ShortRetriesDeps): ShortRetries {
  let closed = false;
  let dueAtMs = Date.now();
  let isRunning = false;
  let timer = setTimeout(() => void release(), 0);
  return {
    scheduled(atMs) {
      if (atMs < dueAtMs && !isRunning) wait(atMs - Date.now());
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };

  function wait(ms: number): void {
    clearTimeout(timer);
    if (closed) return;
    const waitMs = Math.min(Math.max(ms, MIN_WAIT_MS), POLL_MS);
    dueAtMs = Date.now() + waitMs;
    timer = setTimeout(() => void release(), waitMs);
  }

  async function release(): Promise<void> {
    isRunning = true;
    let nextInMs = POLL_MS;
    try {
      if (lease.isValid()) nextInMs = await releaseAll();
    } catch (error) {
      log.warn('retry.releaseFailed', { error });
    } finally {
      isRunning = false;
      wait(nextInMs);
    }
  }

  async function releaseAll(): Promise<number> {
    const { count, nextInMs } = await releaseDueRetries(pool, { shard, fence: lease.fence, limit: MAX_RELEASED });
    if (count > 0) onReleased();
    return nextInMs ?? POLL_MS;
  }
}
