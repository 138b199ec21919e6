import type { HeldLease } from '../../db/ledger/shards/shard-leases.ts';
import type { Log } from '../../process/log.ts';
import type { PumpLedger } from './ledger/pump-ledger.ts';

/**
 * Makes retries pending when they are due, with one statement at a time. The rows hold all state, so a crash loses none.
 */
export interface ShortRetries {
  /** A retry was written for this time, by `Date.now`. */
  scheduled(atMs: number): void;
  /** A former pump of new shards may have left some that are due. */
  expect(): void;
  close(): void;
}

export interface ShortRetriesDeps {
  readonly ledger: Pick<PumpLedger, 'releaseDueRetries'>;
  /** Empty while the lease is not valid. */
  readonly leases: () => readonly HeldLease[];
  /** Retries of these shards are pending and can be claimed. */
  readonly onReleased: (shards: readonly number[]) => void;
  readonly log: Log;
}

/** Bounds one transaction. */
const MAX_RELEASED = 500;
/** Covers retries that another process wrote, such as a shard's previous pump. */
const POLL_MS = 2_000;
/** Collects retries that are due at almost the same time. */
const MIN_WAIT_MS = 50;

export function createShortRetries({ ledger, leases, onReleased, log }: ShortRetriesDeps): ShortRetries {
  let isRunning = false;
  let isClosed = false;
  let dueAtMs = Infinity;
  let timer: NodeJS.Timeout | undefined;
  runAt(Date.now() + POLL_MS);

  return {
    scheduled: (atMs) => runAt(Math.max(atMs, Date.now() + MIN_WAIT_MS)),
    expect: () => runAt(Date.now()),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };

  /** Keeps an earlier time. A time given during a run is kept for the next one. */
  function runAt(atMs: number): void {
    if (atMs >= dueAtMs || isClosed) return;
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
      nextInMs = await release();
    } catch (error) {
      log.warn('retry.releaseFailed', { error });
    } finally {
      isRunning = false;
      runAt(Date.now() + nextInMs);
      if (!isClosed) wait();
    }
  }

  /** Returns the time until the next statement. */
  async function release(): Promise<number> {
    const { counts, isCut, nextInMs } = await ledger.releaseDueRetries({ leases: leases(), limit: MAX_RELEASED });
    if (counts.size > 0) onReleased([...counts.keys()]);
    return isCut ? 0 : Math.min(Math.max(nextInMs ?? POLL_MS, MIN_WAIT_MS), POLL_MS);
  }
}
