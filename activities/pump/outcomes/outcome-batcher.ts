import { setTimeout as sleep } from 'node:timers/promises';
import { isDataError } from '../../../db/core/hot-pool.ts';
import type { Log } from '../../../process/log.ts';

/** Writes one batch at a time. Retries a failed write until it succeeds or the batcher is abandoned. */
export interface OutcomeBatcher<Outcome> {
  add(outcome: Outcome): void;
  idle(): Promise<void>;
  /** Stops writing. The next pump sends the remaining rows again. */
  abandon(): void;
}

export interface OutcomeBatcherOptions<Outcome> {
  readonly write: (outcomes: readonly Outcome[]) => Promise<void>;
  /** Returns what to store if the database rejects an outcome, so that one row never stops a shard. */
  readonly salvage: (outcome: Outcome) => Outcome;
  readonly log: Log;
}

/** Larger batches are no faster and hold row locks longer. */
const MAX_BATCH = 500;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

export function createOutcomeBatcher<Outcome>({
  write,
  salvage,
  log,
}: OutcomeBatcherOptions<Outcome>): OutcomeBatcher<Outcome> {
  let waiting: Outcome[] = [];
  let running: Promise<void> | undefined;
  let abandoned = false;

  return {
    add(outcome) {
      waiting.push(outcome);
      running ??= drain();
    },
    idle: () => running ?? Promise.resolve(),
    abandon() {
      abandoned = true;
    },
  };

  async function drain(): Promise<void> {
    // Lets responses that arrived together form one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !abandoned) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await writeUntilTaken(batch);
    }
    running = undefined;
  }

  async function writeUntilTaken(first: readonly Outcome[]): Promise<void> {
    let batch = first;
    for (let delayMs = FIRST_RETRY_MS; !abandoned; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      try {
        return await write(batch);
      } catch (error) {
        log.error('settlement.writeFailed', { error, count: batch.length });
        if (isDataError(error)) batch = batch.map(salvage);
        await sleep(delayMs);
      }
    }
  }
}
