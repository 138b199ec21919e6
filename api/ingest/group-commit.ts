/**
 * Gathers what arrives while a commit is under way into the next commit. There is no linger: a lone item is committed
 * at once, and under load a commit carries whatever queued behind the last one.
 */
export interface GroupCommit<Item> {
  /** Resolves once all these items are committed; rejects when they could not be. */
  commit(items: readonly Item[]): Promise<void>;
  /** Waits until all that was handed in has been committed or refused. */
  idle(): Promise<void>;
}

export interface GroupCommitOptions<Item> {
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Makes two items of one commit that are the same event one; the later is dropped. */
  readonly keyOf: (item: Item) => string;
  /** Whether the write failed for what is in the items, and not because the database could not write. */
  readonly isPoison: (error: unknown) => boolean;
  readonly maxItemsPerCommit: number;
  /** What waits beyond this is refused: bounded memory, and the platform asks again. */
  readonly maxWaitingItems: number;
}

export class TooManyWaiting extends Error {}

interface Request<Item> {
  readonly items: readonly Item[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit<Item>(options: GroupCommitOptions<Item>): GroupCommit<Item> {
  let waiting: Request<Item>[] = [];
  let waitingCount = 0;
  let running: Promise<void> | undefined;

  return {
    commit(items) {
      if (items.length === 0) return Promise.resolve();
      if (waitingCount + items.length > options.maxWaitingItems && waitingCount > 0) {
        return Promise.reject(new TooManyWaiting(`${waitingCount} items wait for a commit`));
      }
      return new Promise<void>((resolve, reject) => {
        waiting.push({ items, resolve, reject });
        waitingCount += items.length;
        running ??= drain();
      });
    },
    async idle() {
      await running;
    },
  };

  async function drain(): Promise<void> {
    // A turn of the event loop: requests that were parsed in the same turn share the first commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await commitRequests(takeRequests());
    running = undefined;
  }

  function takeRequests(): Request<Item>[] {
    let count = 0;
    let end = 0;
    while (end < waiting.length && (end === 0 || count + waiting[end]!.items.length <= options.maxItemsPerCommit)) {
      count += waiting[end]!.items.length;
      end++;
    }
    const taken = waiting.slice(0, end);
    waiting = waiting.slice(end);
    waitingCount -= count;
    return taken;
  }

  /**
   * A batch that the database refused for what is in it is redone one request at a time, so that one request's poison is
   * not another's refusal. A database that is away refuses them all at once: the platform asks again.
   */
  async function commitRequests(requests: readonly Request<Item>[]): Promise<void> {
    try {
      await options.write(withoutRepetitions(requests));
      for (const request of requests) request.resolve();
    } catch (error) {
      if (requests.length === 1 || !options.isPoison(error)) {
        for (const request of requests) request.reject(error);
        return;
      }
      for (const request of requests) await commitRequests([request]);
    }
  }

  function withoutRepetitions(requests: readonly Request<Item>[]): Item[] {
    const seen = new Set<string>();
    const items: Item[] = [];
    for (const request of requests) {
      for (const item of request.items) {
        const key = options.keyOf(item);
        if (seen.has(key)) continue;
        seen.add(key);
        items.push(item);
      }
    }
    return items;
  }
}
