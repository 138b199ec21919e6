import { setTimeout as sleep } from 'node:timers/promises';
import { isStatementTimeout } from '../../../db/core/database-unavailable.ts';
import { isDataError } from '../../../db/core/hot-pool.ts';
import type { Log } from '../../../process/log.ts';

/**
 * Writes one batch at a time. Retries a failed write until it succeeds or the batcher is abandoned. Most of a write's
 * cost does not depend on its size, so a batch can wait for more outcomes.
 */
export interface OutcomeBatcher<Outcome> {
  /** With `isUrgent`, the batch is written without waiting for more. */
  add(outcome: Outcome, isUrgent?: boolean): void;
  idle(): Promise<void>;
  /** Stops writing. The next pump sends the remaining rows again. */
  abandon(): void;
}

export interface OutcomeBatcherOptions<Outcome> {
  readonly write: (outcomes: readonly Outcome[]) => Promise<void>;
  /** Returns what to store if the database rejects an outcome, so that one row never stops the others. */
  readonly salvage: (outcome: Outcome) => Outcome;
  /** Optional. How many attempts an outcome records. Default: one. */
  readonly countOf?: (outcome: Outcome) => number;
  /** Optional. Default: writes at once what arrived together. */
  readonly gather?: Gather;
  /** Optional. Called with the duration of each write that succeeded. */
  readonly onWritten?: ((durationMs: number) => void) | undefined;
  readonly log: Log;
}

/** A batch waits until it has this many attempts, or for this long if fewer arrive. */
export interface Gather {
  readonly count: number;
  readonly maxWaitMs: number;
}

/** Attempts. Larger batches are no faster and hold row locks longer. A single outcome may have more. */
const MAX_BATCH = 500;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;
/** For an outcome that the database also rejects after it was salvaged, such as one of a dropped partition. */
const REJECTED_RETRY_MS = 10_000;

export function createOutcomeBatcher<Outcome>({
  write,
  salvage,
  countOf = () => 1,
  gather,
  onWritten,
  log,
}: OutcomeBatcherOptions<Outcome>): OutcomeBatcher<Outcome> {
  let waiting: Outcome[] = [];
  let waitingCount = 0;
  let running: Promise<void> | undefined;
  let abandoned = false;
  let isDue = false;
  let endWait: (() => void) | undefined;

  return {
    add(outcome, isUrgent = false) {
      waiting.push(outcome);
      waitingCount += countOf(outcome);
      isDue ||= isUrgent || waitingCount >= (gather?.count ?? 0);
      running ??= drain();
      if (isDue) endWait?.();
    },
    idle: () => running ?? Promise.resolve(),
    abandon() {
      abandoned = true;
      endWait?.();
    },
  };

  async function drain(): Promise<void> {
    // Lets responses that arrived together form one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !abandoned) {
      if (gather && !isDue) await untilDue(gather.maxWaitMs);
      const batch = takeBatch();
      isDue = waiting.length > 0;
      await writeUntilTaken(batch);
    }
    running = undefined;
  }

  function takeBatch(): readonly Outcome[] {
    let [length, count] = [0, 0];
    for (const outcome of waiting) {
      const added = countOf(outcome);
      if (length > 0 && count + added > MAX_BATCH) break;
      length++;
      count += added;
    }
    const batch = waiting.slice(0, length);
    waiting = waiting.slice(length);
    waitingCount -= count;
    return batch;
  }

  async function untilDue(maxWaitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, maxWaitMs);
      endWait = () => {
        clearTimeout(limit);
        resolve();
      };
    });
    endWait = undefined;
  }

  async function writeUntilTaken(batch: readonly Outcome[], isSalvaged = false): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS; !abandoned; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      const beganMs = performance.now();
      try {
        await write(batch);
        return onWritten?.(performance.now() - beganMs);
      } catch (error) {
        log.error('settlement.writeFailed', { error, count: batch.length });
        if (batch.length > 1 && isStatementTimeout(error)) return await writeHalves(batch, isSalvaged);
        if (isDataError(error)) return await writeParts(batch, isSalvaged);
        await sleep(delayMs);
      }
    }
  }

  /** The same statement would take too long again. */
  async function writeHalves(batch: readonly Outcome[], isSalvaged: boolean): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await writeUntilTaken(batch.slice(0, middle), isSalvaged);
    await writeUntilTaken(batch.slice(middle), isSalvaged);
  }

  /** Finds the outcomes that the database rejects by halves. */
  async function writeParts(batch: readonly Outcome[], isSalvaged: boolean): Promise<void> {
    if (batch.length > 1) {
      await writeHalves(batch, isSalvaged);
    } else if (!isSalvaged) {
      await writeUntilTaken(batch.map(salvage), true);
    } else {
      void retryApart(batch);
    }
  }

  async function retryApart(rejected: readonly Outcome[]): Promise<void> {
    await sleep(REJECTED_RETRY_MS, undefined, { ref: false });
    await writeUntilTaken(rejected, true);
  }
}
