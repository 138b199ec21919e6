import { type CommitBounds, createFairQueue, type Part, type Queued } from './fair-queue.ts';
import { setTimeout as sleepFor } from 'node:timers/promises';

/**
 * Items that arrive during a commit go into the next one. A large request is spread over several and answered after the
 * last. If one fails, the earlier ones stay committed, and the platform's retry contains duplicates.
 */
export interface GroupCommit<Item> {
  /** Resolves once all items are committed. Rejects if a commit fails. */
  commit(items: readonly Item[]): Promise<void>;
  idle(): Promise<void>;
}

export interface GroupCommitOptions<Item> extends CommitBounds<Item> {
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Identifies duplicates within a commit. */
  readonly keyOf: (item: Item) => string;
  /** Returns true if the items caused the failure, false if the database can't write. */
  readonly isPoison: (error: unknown) => boolean;
  /** Optional. Omit to begin each commit when the last one ends. */
  readonly pace?: CommitPace;
  /** Requests beyond this limit are refused. A large request counts as one commit. */
  readonly maxWaitingItems: number;
  /** A single request may exceed it if the queue is empty. */
  readonly maxWaitingBytes: number;
}

export class TooManyWaiting extends Error {}

interface Request<Item> extends Queued<Item> {
  readonly weight: Weight;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  poison: unknown;
}

interface Weight {
  readonly itemCount: number;
  readonly byteCount: number;
}

export function createGroupCommit<Item>(options: GroupCommitOptions<Item>): GroupCommit<Item> {
  const { maxItemsPerCommit, maxWaitingItems, maxWaitingBytes, bytesOf, pace } = options;
  const queue = createFairQueue<Item, Request<Item>>(options);
  let waiting: Weight = { itemCount: 0, byteCount: 0 };
  let running: Promise<void> | undefined;

  return {
    commit(items) {
      if (items.length === 0) return Promise.resolve();
      const weight = weigh(items);
      const itemCount = waiting.itemCount + weight.itemCount;
      const byteCount = waiting.byteCount + weight.byteCount;
      if (waiting.itemCount > 0 && (itemCount > maxWaitingItems || byteCount > maxWaitingBytes)) {
        return Promise.reject(new TooManyWaiting(`${waiting.itemCount} items wait for a commit`));
      }
      return new Promise<void>((resolve, reject) => {
        queue.push({ items, weight, resolve, reject, poison: undefined });
        waiting = { itemCount, byteCount };
        running ??= drain();
      });
    },
    async idle() {
      await running;
    },
  };

  function weigh(items: readonly Item[]): Weight {
    let byteCount = 0;
    for (const item of items) byteCount += bytesOf(item);
    return { itemCount: Math.min(items.length, maxItemsPerCommit), byteCount };
  }

  async function drain(): Promise<void> {
    // Requests parsed in the same event-loop turn share the first commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (!queue.isEmpty()) {
      await pace?.ready();
      const parts = takeParts();
      await (pace?.timed(parts.length, () => commitParts(parts)) ?? commitParts(parts));
    }
    running = undefined;
  }

  function takeParts(): Part<Item, Request<Item>>[] {
    const parts = queue.take();
    for (const { request, isLast } of parts) if (isLast) release(request);
    return parts;
  }

  function release({ weight }: Request<Item>): void {
    waiting = {
      itemCount: waiting.itemCount - weight.itemCount,
      byteCount: waiting.byteCount - weight.byteCount,
    };
  }

  /** If items caused the failure, each request is retried alone, so that it fails only its own. */
  async function commitParts(parts: readonly Part<Item, Request<Item>>[]): Promise<void> {
    try {
      await options.write(withoutRepetitions(parts, options.keyOf));
    } catch (error) {
      const isPoison = options.isPoison(error);
      if (isPoison && parts.length > 1) {
        for (const part of parts) await commitParts([part]);
        return;
      }
      for (const part of parts) {
        if (isPoison) part.request.poison = error;
        else refuse(part, error);
      }
    }
    for (const { request, isLast } of parts) if (isLast) answer(request);
  }

  function refuse({ request, isLast }: Part<Item, Request<Item>>, error: unknown): void {
    request.reject(error);
    if (isLast) return;
    queue.drop(request);
    release(request);
  }
}

function answer<Item>({ poison, resolve, reject }: Request<Item>): void {
  if (poison === undefined) resolve();
  else reject(poison);
}

function withoutRepetitions<Item>(parts: readonly Part<Item, Request<Item>>[], keyOf: (item: Item) => string): Item[] {
  const unique = new Map<string, Item>();
  for (const { items } of parts) {
    for (const item of items) {
      const key = keyOf(item);
      if (!unique.has(key)) unique.set(key, item);
    }
  }
  return [...unique.values()];
}

/**
 * Lengthens small commits of busy times. A commit costs about 1.4 ms of processor time besides its items. Without a
 * pause, clients that wait for their answers form two groups that are committed in turn, each half as large as possible.
 */
export interface CommitPace {
  /** Resolves when the next commit may begin. */
  ready(): Promise<void>;
  /** Runs a commit and takes its time. */
  timed(requestCount: number, commit: () => Promise<void>): Promise<void>;
}

/** A request alone shows that there is nothing to wait for. */
const LEAST_REQUESTS = 2;
/** From here on, the items cost more than the commit. */
const ENOUGH_REQUESTS = 64;
/** Clients answer within it on a busy machine. Accepting may take this much longer. */
const LONGEST_PAUSE_MS = 3;
/** Timers have a resolution of 1 ms. */
const SHORTEST_PAUSE_MS = 0.5;

interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const systemClock: Clock = { now: () => performance.now(), sleep: (ms) => sleepFor(ms) };

/** Pauses after a commit as long as it took, so that commits take up half of the time. */
export function createCommitPace({ now, sleep }: Clock = systemClock): CommitPace {
  let readyAtMs = 0;
  return {
    async ready() {
      const pauseMs = readyAtMs - now();
      if (pauseMs >= SHORTEST_PAUSE_MS) await sleep(pauseMs);
    },
    async timed(requestCount, commit) {
      const startedAtMs = now();
      await commit();
      const endedAtMs = now();
      const isSmall = requestCount >= LEAST_REQUESTS && requestCount < ENOUGH_REQUESTS;
      readyAtMs = isSmall ? endedAtMs + Math.min(endedAtMs - startedAtMs, LONGEST_PAUSE_MS) : endedAtMs;
    },
  };
}
