import { setTimeout as sleep } from 'node:timers/promises';
import { isPermanent, isStatementTimeout } from '../../../db/core/database-unavailable.ts';
import { isDataError } from '../../../db/core/hot-pool.ts';
import type { Log } from '../../../process/log.ts';

/**
 * Writes one batch at a time. Retries a failed write until it succeeds or the batcher is abandoned. Most of a write's
 * cost does not depend on its size, so a batch can wait for more outcomes.
 *
 * An outcome that cannot be written for a reason of its own is set apart, so that it never stops the others. It is written
 * again from time to time, because the reason can end, such as with a new release, and reported each time that fails.
 * Outcomes of a destination that another transaction has locked are set apart and wait for the lock, so that they neither
 * stop the others nor miss the moment in which a busy destination is free.
 */
export interface OutcomeBatcher<Outcome> {
  add(outcome: Outcome): void;
  idle(): Promise<void>;
  /** Stops writing. The next pump sends the remaining rows again. */
  abandon(): void;
}

export interface OutcomeBatcherOptions<Outcome> {
  /** Returns the outcomes of locked destinations, which were not written. With `waits` it returns an empty list. */
  readonly write: (outcomes: readonly Outcome[], how: { readonly waits: boolean }) => Promise<readonly Outcome[]>;
  /** Returns what to store if the database rejects an outcome, so that one row never stops the others. */
  readonly salvage: (outcome: Outcome) => Outcome;
  /** Optional. The number of the destination whose lock an outcome waits for. Default: of the same for all. */
  readonly destinationIdOf?: (outcome: Outcome) => number;
  /** Optional. How many attempts an outcome records. Default: one. */
  readonly countOf?: (outcome: Outcome) => number;
  /** Optional. Default: writes at once what arrived together. */
  readonly fill?: Fill;
  /** Optional. Called with the duration of each write that succeeded. */
  readonly onWritten?: ((durationMs: number) => void) | undefined;
  /** Called with outcomes whose second or later write was refused. */
  readonly onRefused: (outcomes: readonly Outcome[]) => Promise<void>;
  /** Optional. From a refusal to the next write, or longer if many are refused. Default: 10 s. */
  readonly refusedRetryMs?: number | undefined;
  readonly log: Log;
}

/**
 * A batch waits until it has this many attempts, or for this long if fewer arrive. An outcome that nothing preceded for as
 * long is written at once: waiting would gather nothing.
 */
export interface Fill {
  readonly count: number;
  readonly waitMs: number;
}

/** Attempts. Larger batches are no faster and hold row locks longer. A single outcome may have more. */
const MAX_BATCH = 500;
/** Statements that wait for locks at a time, so that they never take all connections. Few are held for long. */
const LOCK_WAITS = 3;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;
const REFUSED_RETRY_MS = 10_000;
/** Half of the time for which a refusal is shown. */
const MAX_REFUSED_RETRY_MS = 60_000;

interface WriteOptions<Outcome> {
  /** The outcome of which the batch has the salvaged form. */
  readonly original?: Outcome;
  /** The failure of the whole is in the log. */
  readonly isPart?: boolean;
  /** For locks. */
  readonly waits?: boolean;
}

export function createOutcomeBatcher<Outcome>(options: OutcomeBatcherOptions<Outcome>): OutcomeBatcher<Outcome> {
  const { write, salvage, countOf = () => 1, destinationIdOf = () => 0, fill, onWritten, onRefused, log } = options;
  let waiting: Outcome[] = [];
  let waitingCount = 0;
  let addedAtMs = -Infinity;
  let running: Promise<void> | undefined;
  let abandoned = false;
  let isDue = false;
  let endWait: (() => void) | undefined;
  const turns = Array.from({ length: LOCK_WAITS }, () => ({ locked: [] as Outcome[], last: Promise.resolve() }));
  const refused = createRefused<Outcome>({
    report,
    writeAgain: (outcomes) => writeAll(outcomes, { isPart: true }),
    retryMs: options.refusedRetryMs ?? REFUSED_RETRY_MS,
    isAbandoned: () => abandoned,
  });

  return {
    add(outcome) {
      const nowMs = performance.now();
      const isAlone = fill !== undefined && waiting.length === 0 && nowMs - addedAtMs > fill.waitMs;
      addedAtMs = nowMs;
      waiting.push(outcome);
      waitingCount += countOf(outcome);
      isDue ||= isAlone || waitingCount >= (fill?.count ?? 0);
      running ??= drain();
      if (isDue) endWait?.();
    },
    async idle() {
      await running;
      await Promise.all(turns.map(({ last }) => last));
    },
    abandon() {
      abandoned = true;
      endWait?.();
    },
  };

  async function drain(): Promise<void> {
    // Lets responses that arrived together form one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !abandoned) {
      if (fill && !isDue) await untilDue(fill.waitMs);
      const batch = takeBatch();
      isDue = waiting.length > 0;
      await writeUntilTaken(batch);
    }
    running = undefined;
  }

  function takeBatch(): readonly Outcome[] {
    let length = 0;
    let count = 0;
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

  async function untilDue(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, waitMs);
      endWait = () => {
        clearTimeout(limit);
        resolve();
      };
    });
    endWait = undefined;
  }

  async function writeUntilTaken(batch: readonly Outcome[], part: WriteOptions<Outcome> = {}): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS; !abandoned; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      const beganMs = performance.now();
      try {
        setApart(await write(batch, { waits: part.waits === true }));
        return onWritten?.(performance.now() - beganMs);
      } catch (error) {
        if (!part.isPart) log.error('settlement.writeFailed', { error, count: batch.length });
        if (isPermanent(error) || isStatementTimeout(error)) return await writeParts(batch, { ...part, error });
        await sleep(delayMs);
      }
    }
  }

  function setApart(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      const turn = turns[destinationIdOf(outcome) % LOCK_WAITS]!;
      turn.locked.push(outcome);
      if (turn.locked.length === 1) turn.last = turn.last.then(() => writeLocked(turn)).catch(() => undefined);
    }
  }

  /** Includes what was set apart while it waited for its turn. */
  async function writeLocked(turn: { locked: Outcome[] }): Promise<void> {
    const outcomes = turn.locked;
    turn.locked = [];
    if (!abandoned) await writeAll(outcomes, { waits: true });
  }

  async function writeAll(outcomes: readonly Outcome[], part: WriteOptions<Outcome> = {}): Promise<void> {
    for (let first = 0; first < outcomes.length; first += MAX_BATCH) {
      await writeUntilTaken(outcomes.slice(first, first + MAX_BATCH), part);
    }
  }

  /** The same statement would take too long again, or has an outcome that is refused. */
  async function writeParts(
    batch: readonly Outcome[],
    { original, error }: WriteOptions<Outcome> & { readonly error: unknown },
  ): Promise<void> {
    const [outcome] = batch as [Outcome];
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await writeUntilTaken(batch.slice(0, middle), { isPart: true });
      await writeUntilTaken(batch.slice(middle), { isPart: true });
    } else if (original === undefined && isDataError(error)) {
      await writeUntilTaken([salvage(outcome)], { original: outcome, isPart: true });
    } else {
      refused.add(original ?? outcome, error);
    }
  }

  async function report(outcomes: readonly Outcome[], error: unknown): Promise<void> {
    log.error('settlement.recordFailed', { error, count: outcomes.length });
    await onRefused(outcomes).catch((failure: unknown) => log.error('settlement.markFailed', { error: failure }));
  }
}

interface RefusedOptions<Outcome> {
  readonly report: (outcomes: readonly Outcome[], error: unknown) => Promise<void>;
  readonly writeAgain: (outcomes: readonly Outcome[]) => Promise<void>;
  readonly retryMs: number;
  readonly isAbandoned: () => boolean;
}

/** Outcomes that were set apart. They are written again with their responses, which may not be the reason. */
function createRefused<Outcome>({ report, writeAgain, retryMs, isAbandoned }: RefusedOptions<Outcome>) {
  let refused: Outcome[] = [];
  let reason: unknown;
  let isRunning = false;
  return {
    add(outcome: Outcome, error: unknown): void {
      refused.push(outcome);
      reason = error;
      if (!isRunning) void run();
    },
  };

  async function run(): Promise<void> {
    isRunning = true;
    let delayMs = retryMs;
    while (refused.length > 0 && !isAbandoned()) {
      await sleep(delayMs, undefined, { ref: false });
      const again = refused;
      refused = [];
      const beganMs = performance.now();
      await writeAgain(again);
      const before = new Set(again);
      const stillRefused = refused.filter((outcome) => before.has(outcome));
      if (stillRefused.length > 0) await report(stillRefused, reason);
      // Finding each of them takes about two statements.
      delayMs = Math.min(Math.max(retryMs, 2 * (performance.now() - beganMs)), MAX_REFUSED_RETRY_MS);
    }
    isRunning = false;
  }
}
