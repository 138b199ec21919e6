import { setTimeout as sleep } from 'node:timers/promises';
import { isDataError } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';

/**
 * Writes outcomes to the ledger in bulk: one write at a time, each with whatever gathered during the last one. A write
 * that fails is repeated until the database takes it, for as long as the pump lives.
 */
export interface Settler<Outcome> {
  add(outcome: Outcome): void;
  /** Resolves when nothing is left to write. */
  idle(): Promise<void>;
  /** Writes no more: the rows stay as they are in the ledger and go to the next pump. */
  abandon(): void;
}

export interface SettlerOptions<Outcome> {
  readonly write: (outcomes: readonly Outcome[]) => Promise<void>;
  /** What is left of an outcome when the database refuses its contents: never a reason to stop a shard. */
  readonly salvage: (outcome: Outcome) => Outcome;
  readonly log: Log;
}

/** Longer batches win nothing and keep rows locked. */
const MAX_BATCH = 500;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

export function createSettler<Outcome>({ write, salvage, log }: SettlerOptions<Outcome>): Settler<Outcome> {
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
    // A turn of the event loop: answers that arrived together are written together.
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
        log.error('settlement.failed', { error, count: batch.length });
        if (isDataError(error)) batch = batch.map(salvage);
        await sleep(delayMs);
      }
    }
  }
}
