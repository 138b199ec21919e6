/**
 * Requests whose items wait for a commit. A commit is bounded in items and bytes, and requests larger than one turn take
 * turns: each commit begins with one turn of a large request, goes on with the small ones in order of arrival, and gives
 * the room that is left to the large ones in rotation. So a small request, as nearly all are, waits for the commit under
 * way and is in the next, whatever large ones wait beside it; and a large one moves on with every commit or rotation.
 *
 * The items of one request keep their order. Between requests there is none while both are unanswered: the platform
 * sends without waiting for an answer, and a small request may overtake the later items of a large one.
 */
export interface FairQueue<Item, Request extends Queued<Item>> {
  isEmpty(): boolean;
  push(request: Request): void;
  /** Takes what the next commit holds: of each request its next items. */
  take(): Part<Item, Request>[];
  /** Gives up what still waits of a large request. */
  drop(request: Request): void;
}

export interface Queued<Item> {
  readonly items: readonly Item[];
}

export interface Part<Item, Request> {
  readonly request: Request;
  readonly items: readonly Item[];
  /** Nothing waits of the request any more. */
  isLast: boolean;
}

export interface CommitBounds<Item> {
  readonly maxItemsPerCommit: number;
  /** A commit that has reached it takes no further turn; a turn, or one item however large, may overshoot. */
  readonly maxBytesPerCommit: number;
  /** What one request contributes while others wait; at most half of a commit. */
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

  /** A small request can have a rest too: one whose bytes are more than a commit's. */
  function takeTurn(commit: Commit<Request>, { request, start }: Large<Request>): void {
    const end = commit.add(request, start);
    if (end < request.items.length) large.push({ request, start: end });
  }
}

interface Large<Request> {
  readonly request: Request;
  /** The first of its items that waits. */
  readonly start: number;
}

interface Commit<Request> {
  /** Whether so many items more may go with it. */
  hasRoom(itemCount: number): boolean;
  /** Adds one turn's items from this one on, and returns where they end. */
  add(request: Request, start: number): number;
}

function createCommit<Item, Request extends Queued<Item>>(bounds: CommitBounds<Item>) {
  const { maxItemsPerCommit, maxBytesPerCommit, itemsPerTurn, bytesOf } = bounds;
  const parts: Part<Item, Request>[] = [];
  // Requests that take more than one turn, of which a commit may hold several.
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
      for (let turnBytes = 0; end < turnEnd && turnBytes < maxBytesPerCommit; end++) {
        const bytes = bytesOf(items[end]!);
        turnBytes += bytes;
        byteCount += bytes;
      }
      itemCount += end - start;
      // Nearly all requests: whole in one turn, they need no list of their own, and at thousands a second its garbage shows.
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
