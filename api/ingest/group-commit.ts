import { type CommitBounds, createFairQueue, type Part, type Queued } from './fair-queue.ts';

/**
 * Gathers what arrives while a commit is under way into the next commit. There is no linger: a lone item is committed
 * at once, and under load a commit carries whatever queued behind the last one. A request larger than a commit is
 * spread over several, in turns with the others; it is answered after the last of them. If one of them fails, those
 * before it stay committed, and the platform's repetition finds their items to be duplicates.
 */
export interface GroupCommit<Item> {
  /** Resolves once all these items are committed; rejects when they could not be. */
  commit(items: readonly Item[]): Promise<void>;
  /** Waits until all that was handed in has been committed or refused. */
  idle(): Promise<void>;
}

export interface GroupCommitOptions<Item> extends CommitBounds<Item> {
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Makes two items of one commit that are the same event one; the later is dropped. */
  readonly keyOf: (item: Item) => string;
  /** Whether the write failed for what is in the items, and not because the database could not write. */
  readonly isPoison: (error: unknown) => boolean;
  /** What waits beyond this is refused, and the platform asks again. A large request counts for one commit. */
  readonly maxWaitingItems: number;
  /** Bounds the memory. One request may be larger, if it is the only one. */
  readonly maxWaitingBytes: number;
}

export class TooManyWaiting extends Error {}

interface Request<Item> extends Queued<Item> {
  readonly weight: Weight;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Set when a part of it was refused for what is in it; the rest is committed all the same. */
  poison: unknown;
}

interface Weight {
  readonly itemCount: number;
  readonly byteCount: number;
}

export function createGroupCommit<Item>(options: GroupCommitOptions<Item>): GroupCommit<Item> {
  const { maxItemsPerCommit, maxWaitingItems, maxWaitingBytes, bytesOf } = options;
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
    // A turn of the event loop: requests that were parsed in the same turn share the first commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (!queue.isEmpty()) await commitParts(takeParts());
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

  /**
   * A batch that the database refused for what is in it is redone one request at a time, so that one request's poison is
   * not another's refusal. A database that is away refuses them all at once: the platform asks again.
   */
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

/** Without effect on a request that was refused before. */
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
