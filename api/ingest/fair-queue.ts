/**
 * Each commit takes one turn of a large request, then small requests in order of arrival, then the large ones in
 * rotation. Large requests therefore barely delay small ones. The items of one request keep their order.
 */
export interface FairQueue<Item, Request extends Queued<Item>> {
  isEmpty(): boolean;
  push(request: Request): void;
  take(): Part<Item, Request>[];
  /** Discards the remaining items of a large request. */
  drop(request: Request): void;
}

export interface Queued<Item> {
  readonly items: readonly Item[];
}

export interface Part<Item, Request> {
  readonly request: Request;
  readonly items: readonly Item[];
  isLast: boolean;
}

export interface CommitBounds<Item> {
  readonly maxItemsPerCommit: number;
  /** A soft limit: the last turn may exceed it. A turn has half of it. */
  readonly maxBytesPerCommit: number;
  /** At most half of a commit. */
  readonly itemsPerTurn: number;
  readonly bytesOf: (item: Item) => number;
}

export function createFairQueue<Item, Request extends Queued<Item>>(
  bounds: CommitBounds<Item>,
): FairQueue<Item, Request> {
  let small: Request[] = [];
  let large: Large<Request>[] = [];

  return {
    isEmpty: () => small.length === 0 && large.length === 0,
    push(request) {
      if (request.items.length > bounds.itemsPerTurn) large.push({ request, start: 0 });
      else small.push(request);
    },
    drop: (request) => void (large = large.filter((other) => other.request !== request)),
    take() {
      const commit = createCommit<Item, Request>(bounds);
      takeLarge(commit);
      takeSmall(commit);
      while (large.length > 0 && commit.hasRoom(1)) takeLarge(commit);
      return commit.parts();
    },
  };

  function takeSmall(commit: Commit<Request>): void {
    let count = 0;
    for (const request of small) {
      if (!commit.hasRoom(request.items.length)) break;
      takeTurn(commit, { request, start: 0 });
      count++;
    }
    small = small.slice(count);
  }

  function takeLarge(commit: Commit<Request>): void {
    const next = large.shift();
    if (next !== undefined) takeTurn(commit, next);
  }

  /** A small request with more bytes than a turn continues as a large one. */
  function takeTurn(commit: Commit<Request>, { request, start }: Large<Request>): void {
    const end = commit.add(request, start);
    if (end < request.items.length) large.push({ request, start: end });
  }
}

interface Large<Request> {
  readonly request: Request;
  readonly start: number;
}

interface Commit<Request> {
  hasRoom(itemCount: number): boolean;
  add(request: Request, start: number): number;
}

function createCommit<Item, Request extends Queued<Item>>(bounds: CommitBounds<Item>) {
  const { maxItemsPerCommit, maxBytesPerCommit, itemsPerTurn, bytesOf } = bounds;
  const parts: Part<Item, Request>[] = [];
  const growing = new Map<Request, Part<Item, Request> & { readonly items: Item[] }>();
  let itemCount = 0;
  let byteCount = 0;
  return {
    parts: () => parts,
    hasRoom: (more: number) => itemCount + more <= maxItemsPerCommit && byteCount < maxBytesPerCommit,
    add(request: Request, start: number): number {
      const { items } = request;
      const turnEnd = Math.min(items.length, start + itemsPerTurn, start + maxItemsPerCommit - itemCount);
      let end = start;
      for (let turnBytes = 0; end < turnEnd && turnBytes < maxBytesPerCommit / 2; end++) {
        const bytes = bytesOf(items[end]!);
        turnBytes += bytes;
        byteCount += bytes;
      }
      itemCount += end - start;
      // Avoids copying nearly all lists, which would be measurable garbage.
      if (start === 0 && end === items.length) parts.push({ request, items, isLast: true });
      else grow(request, start, end);
      return end;
    },
  };

  function grow(request: Request, start: number, end: number): void {
    let part = growing.get(request);
    if (part === undefined) {
      part = { request, items: [], isLast: false };
      growing.set(request, part);
      parts.push(part);
    }
    part.items.push(...request.items.slice(start, end));
    part.isLast = end === request.items.length;
  }
}
